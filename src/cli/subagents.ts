import { CONFIG_FLAG, type Command, given, text } from './command.ts'
import { configNotes } from './config-notes.ts'
import { EXIT } from './exit.ts'
import { jsonText } from './json.ts'
import { homeOf } from './mount.ts'
import { writeAll } from './output.ts'
import { catalogLines } from './view/catalog.ts'
import { type Style, styleFor } from './view/style.ts'

const unpainted: Style['paint'] = (_, cell) => cell

export const subagentsCommand: Command = {
  name: 'subagents',
  about: 'List the subagents that a lead can delegate to.',
  takes: '',
  flags: { config: CONFIG_FLAG, json: { type: 'boolean', about: 'Print the catalog as JSON' } },
  notes: ['What an agent of the section agents may call when it leads is narrowed by its own `subagents`.'],
  examples: [
    ['troupe subagents', 'names, models, limits and what each is for'],
    ["troupe subagents --json | jq -r '.[] | select(.available).name'", 'the names of those that can be called'],
  ],
  run: async (parsed, { cwd, env, stdout, stderr, open }) => {
    const config = text(parsed, 'config')
    const log = configNotes((line) => void stderr.write(`${line}\n`))
    const runtime = await open({ home: homeOf(cwd, env), env, log, ...(config !== undefined && { config }) }, {})
    try {
      const entries = await runtime.subagents()
      const [width, paint] = stdout.isTTY ? [stdout.columns ?? 80, styleFor(env).paint] : [0, unpainted]
      const lines = given(parsed, 'json') ? [jsonText(entries, 2)] : catalogLines(entries, width, paint)
      await writeAll(stdout, `${lines.join('\n')}\n`)
      return EXIT.ok
    } finally {
      await runtime.close()
    }
  },
}
