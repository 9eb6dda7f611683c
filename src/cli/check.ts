import { type ConfigReport, checkConfig } from '../config/check.ts'
import { loadConfig } from '../config/load.ts'
import type { ConfigOptions } from '../config/source.ts'
import type { Problem } from '../contract/errors.ts'
import { checkModels } from '../runtime/check-models.ts'
import { CONFIG_FLAG, type Command, given, text } from './command.ts'
import { EXIT } from './exit.ts'
import { problemsOf } from './explain.ts'
import { jsonText } from './json.ts'
import { homeOf } from './mount.ts'
import { writeAll } from './output.ts'
import { problemLine } from './problem-line.ts'
import { count } from './view/format.ts'
import type { World } from './world.ts'

/** What only shows when modules are looked for and tools imported, as a runtime does before it is open. */
const moduleProblems = async ({ config, env, cwd }: ConfigOptions, world: World): Promise<readonly Problem[]> => {
  const loaded = await loadConfig({ config, env, cwd })
  const { tools, models } = loaded.config
  if (tools.length === 0 && models.every(({ use }) => use === null)) return []
  const opened = await openProblems(config, world)
  const known = new Set(opened.map(({ path }) => path))
  return [...opened, ...(await checkModels(loaded, world.env)).filter(({ path }) => !known.has(path))]
}

const openProblems = async (config: ConfigOptions['config'], world: World): Promise<readonly Problem[]> => {
  try {
    const runtime = await world.open(
      { ...(config !== undefined && { config }), env: world.env, home: homeOf(world.cwd, world.env) },
      {},
    )
    await runtime.close()
    return []
  } catch (error) {
    const problems = problemsOf(error)
    if (problems.length === 0) throw error
    return problems.filter(({ level }) => level === 'error')
  }
}

const report = async (config: string | undefined, world: World): Promise<ConfigReport> => {
  const options = { config, env: world.env, cwd: world.cwd }
  const { ok, problems } = await checkConfig(options)
  const more = ok ? await moduleProblems(options, world) : []
  return { ok: ok && more.length === 0, problems: [...problems, ...more] }
}

const lines = ({ problems }: ConfigReport): string[] => {
  const errors = problems.filter(({ level }) => level === 'error').length
  const warnings = problems.length - errors
  const sum = [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])]
  return [...problems.map(problemLine), sum.length > 0 ? sum.join(', ') : 'The config is in order.']
}

export const checkCommand: Command = {
  name: 'check',
  about: 'Look over the config and name every problem in it.',
  takes: '',
  flags: { config: CONFIG_FLAG, json: { type: 'boolean', about: 'Print { ok, problems } as JSON' } },
  notes: [
    'Warnings, such as a variable that is not set, leave the exit status 0.',
    'The tools that a program of yours passes as hostTools are not known here.',
  ],
  examples: [
    ['troupe check', 'the config of this folder'],
    ["troupe check --config staging.yaml --json | jq -r '.problems[].path'", 'for a program'],
  ],
  run: async (parsed, world) => {
    const found = await report(text(parsed, 'config'), world)
    await writeAll(world.stdout, `${given(parsed, 'json') ? jsonText(found, 2) : lines(found).join('\n')}\n`)
    return found.ok ? EXIT.ok : EXIT.usage
  },
}
