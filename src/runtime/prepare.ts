import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { configInvalid, type LoadedConfig, loadConfig } from '../config/load.ts'
import { toRuntimeSettings } from '../config/settings.ts'
import type { RuntimeOptions } from '../contract/api.ts'
import type { Mount } from '../contract/tools.ts'
import { runtimeMark } from '../policy/command-environment.ts'
import { createAliases } from './aliases.ts'
import { buildSettings } from './build-settings.ts'
import type { LiveOptions } from './live-settings.ts'
import { createToolLoader } from './load-tools.ts'
import { logProblems } from './log-problems.ts'
import { keyVariables } from './restart.ts'
import { checkRuntimeOptions } from './runtime-options.ts'
import type { RunSettings } from './settings.ts'
import { createToolProcesses, type ToolProcesses } from './tool-processes/pool.ts'

/** What a runtime needs before it can start a thread. */
export interface Prepared extends Pick<LiveOptions, 'loaded' | 'ground' | 'since'> {
  readonly toolProcesses: ToolProcesses
}

/** Reads the config. Rejects with `OPTIONS_INVALID` or `CONFIG_INVALID`, and then leaves nothing running. */
export const prepare = async (options: RuntimeOptions, extraMounts: readonly Mount[]): Promise<Prepared> => {
  checkRuntimeOptions(options)
  const { env = process.env, hostTools = [], log = () => {} } = options
  const since = Date.now()
  const loaded = await loadConfig({ config: options.config, env, hostTools: hostTools.map(({ name }) => name) })
  const sizes = toRuntimeSettings(loaded.config)
  const toolProcesses = createToolProcesses({
    url: new URL('./tool-process.js', import.meta.url),
    count: sizes.toolProcesses,
    memoryMb: sizes.toolMemoryMb,
    graceMs: sizes.graceMs,
    env: withoutModelKeys(env, loaded),
    cwd: loaded.baseDir,
    log,
  })
  // Whatever the tools are, somebody has to read them: the longest part of a start.
  if (loaded.config.tools.length > 0) toolProcesses.warm(1)
  const ground = {
    env,
    hostTools,
    log,
    home: resolve(options.home ?? env['TROUPE_HOME'] ?? '.troupe'),
    sizes,
    extraMounts,
    tools: createToolLoader(toolProcesses),
    aliases: createAliases(),
    mark: runtimeMark(randomUUID()),
  }
  return { loaded, ground, since, toolProcesses }
}

/** The settings of the first runs, with the tools that the config names. Rejects with `CONFIG_INVALID`. */
export const firstSettings = async ({ loaded, ground }: Prepared): Promise<RunSettings> => {
  const { settings, problems } = await buildSettings(loaded, 1, ground)
  if (settings === null) throw configInvalid([...loaded.problems, ...problems], loaded.source)
  logProblems(ground.log, [...loaded.problems, ...problems])
  return settings
}

/** The environment for tools: a model's key is no business of theirs. */
const withoutModelKeys = (
  env: Readonly<Record<string, string | undefined>>,
  { config }: LoadedConfig,
): Readonly<Record<string, string | undefined>> => {
  const keys = new Set(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', ...keyVariables(config)])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)))
}
