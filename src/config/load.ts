import { type Problem, TroupeError } from '../contract/errors.ts'
import type { Config } from './config.ts'
import { readConfig } from './read.ts'
import type { ConfigOptions, ConfigSource } from './source.ts'

export interface LoadedConfig {
  readonly config: Config
  /** Absolute folder that relative paths of the config start from. */
  readonly baseDir: string
  readonly source: ConfigSource
  /** Warnings only: what is an error is thrown. */
  readonly problems: readonly Problem[]
}

/** Loads a config, or throws one `CONFIG_INVALID` that lists every problem. */
export const loadConfig = async (options: ConfigOptions = {}): Promise<LoadedConfig> => {
  const { config, baseDir, source, problems } = await readConfig(options)
  if (config === null) throw configInvalid(problems, source)
  return { config, baseDir, source, problems }
}

/** The error for a config that cannot be used, whoever found the problems. */
export const configInvalid = (problems: readonly Problem[], source: ConfigSource): TroupeError => {
  const errors = problems.filter(({ level }) => level === 'error').length
  const where = source.path === null || source.path === '' ? 'The config' : `The config ${source.path}`
  return new TroupeError(
    'CONFIG_INVALID',
    [`${where} has ${errors === 1 ? 'a problem' : `${errors} problems`}:`, ...problems.map(describeProblem)].join('\n'),
    { problems },
  )
}

/** One line for people: `path: message (did you mean "x"?)`. */
export const describeProblem = ({ level, path, message, nearest }: Problem): string => {
  const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  return `${level === 'warning' ? 'warning: ' : ''}${path === '' ? '' : `${path}: `}${message}${hint}`
}
