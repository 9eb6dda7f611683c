import type { LoadedConfig } from '../config/load.ts'
import { toModelModules } from '../config/model-modules.ts'
import { type RuntimeSettings, toModelSettings, toMounts, toOutputSettings } from '../config/settings.ts'
import type { HostTool, Log } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'
import type { Mount } from '../contract/tools.ts'
import { hostBashAllowed } from '../policy/bash-gate.ts'
import type { Aliases } from './aliases.ts'
import { toCommandSettings } from './command-settings.ts'
import type { ToolLoader } from './load-tools.ts'
import { createRunSettings, type RunSettings } from './settings.ts'

/** What stays while configs come and go. */
export interface Ground {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly hostTools: readonly HostTool[]
  readonly log: Log
  /** Absolute root of all that Troupe writes. */
  readonly home: string
  readonly sizes: RuntimeSettings
  readonly extraMounts: readonly Mount[]
  readonly tools: ToolLoader
  readonly aliases: Aliases
  /** What every command of this runtime has in its environment. */
  readonly mark: string
}

export interface Built {
  /** `null` when there is an error among the problems. */
  readonly settings: RunSettings | null
  readonly problems: readonly Problem[]
}

/** What a config comes to for the runs that start under it, the tools and models it names included. */
export const buildSettings = async (
  { config, baseDir }: LoadedConfig,
  revision: number,
  { env, hostTools, log, home, sizes, extraMounts, ...ground }: Ground,
): Promise<Built> => {
  const tools = await ground.tools.load(config, baseDir, hostTools)
  const found = await toModelModules(config, baseDir)
  const problems = [...found.problems, ...tools.problems]
  if (problems.some(({ level }) => level === 'error')) return { settings: null, problems }
  const models = toModelSettings(config, env, found.modules)
  const mounts = [...toMounts(config, baseDir), ...extraMounts]
  const folders = hostBashAllowed(config.sandbox) ? [home, ...mounts.map(({ host }) => host)] : []
  const forCommands = { mark: ground.mark, aliases: await ground.aliases.of(folders) }
  const settings = createRunSettings(config, {
    revision,
    models,
    tools: tools.specs,
    mounts,
    home,
    graceMs: sizes.graceMs,
    output: toOutputSettings(config),
    commands: toCommandSettings(config, env, models, forCommands, log),
  })
  return { settings, problems }
}
