import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { configInvalid, type LoadedConfig, loadConfig } from '../config/load.ts'
import { toModelModules } from '../config/model-modules.ts'
import {
  type RuntimeSettings,
  toModelSettings,
  toMounts,
  toOutputSettings,
  toRuntimeSettings,
} from '../config/settings.ts'
import type { Log, RuntimeOptions } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'
import type { Mount } from '../contract/tools.ts'
import { hostBashAllowed } from '../policy/bash-gate.ts'
import { runtimeMark } from '../policy/command-environment.ts'
import { type Aliases, openAliases } from './aliases.ts'
import { toCommandSettings } from './command-settings.ts'
import { loadTools } from './load-tools.ts'
import { createRunSettings, type RunSettings } from './settings.ts'
import { createToolProcesses, type ToolProcesses } from './tool-processes/pool.ts'

/** What a runtime needs before it can start a thread. */
export interface Prepared {
  readonly settings: RunSettings
  readonly sizes: RuntimeSettings
  readonly toolProcesses: ToolProcesses
  readonly aliases: Aliases
  /** What every command of this runtime has in its environment. */
  readonly mark: string
}

/** Reads the config and the tools it names. Rejects with `CONFIG_INVALID`, and then leaves nothing running. */
export const prepare = async (options: RuntimeOptions, extraMounts: readonly Mount[]): Promise<Prepared> => {
  const { env = process.env, hostTools = [], log = () => {} } = options
  const loaded = await loadConfig({ config: options.config, env, hostTools: hostTools.map(({ name }) => name) })
  const { config, baseDir } = loaded
  warn(log, loaded.problems)
  const sizes = toRuntimeSettings(config)
  const toolProcesses = createToolProcesses({
    url: new URL('./tool-process.js', import.meta.url),
    count: sizes.toolProcesses,
    memoryMb: sizes.toolMemoryMb,
    graceMs: sizes.graceMs,
    env: withoutModelKeys(env, loaded),
    cwd: baseDir,
    log,
  })
  const tools = await loadTools(config, baseDir, hostTools, toolProcesses)
  const found = await toModelModules(config, baseDir)
  const problems = [...found.problems, ...tools.problems]
  warn(log, problems)
  if (problems.some(({ level }) => level === 'error')) {
    await toolProcesses.close()
    throw configInvalid([...loaded.problems, ...problems], loaded.source)
  }
  const models = toModelSettings(config, env, found.modules)
  const mounts = [...toMounts(config, baseDir), ...extraMounts]
  const home = resolve(options.home ?? env['TROUPE_HOME'] ?? '.troupe')
  const aliases = await openAliases(hostBashAllowed(config.sandbox) ? [home, ...mounts.map(({ host }) => host)] : [])
  const mark = runtimeMark(randomUUID())
  const settings = createRunSettings(config, {
    revision: 1,
    models,
    tools: tools.specs,
    mounts,
    home,
    graceMs: sizes.graceMs,
    output: toOutputSettings(config),
    commands: toCommandSettings(config, env, models, { mark, aliases: aliases.list }, log),
  })
  return { settings, sizes, toolProcesses, aliases, mark }
}

const warn = (log: Log, problems: readonly Problem[]): void => {
  for (const { path, message } of problems) log('warn', message, { path })
}

/** The environment for tools: a model's key is no business of theirs. */
const withoutModelKeys = (
  env: Readonly<Record<string, string | undefined>>,
  { config: { models } }: LoadedConfig,
): Readonly<Record<string, string | undefined>> => {
  const named = models.flatMap(({ api_key: key }) => key?.match(/^\$\{?(\w+)\}?$/)?.[1] ?? [])
  const keys = new Set(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', ...named])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)))
}
