import type { Problem } from '../contract/errors.ts'
import { readConfig } from './read.ts'
import type { ConfigOptions } from './source.ts'

export interface ConfigReport {
  /** Whether a runtime would start; warnings leave it true. */
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

/** All that can be said of a config before it runs, unset variables included. Whoever imports its tools adds what fails there. */
export const checkConfig = async (options: ConfigOptions = {}): Promise<ConfigReport> => {
  const { tree, env, problems } = await readConfig(options)
  const { warnUnset } = await import('./references.ts')
  const all = [...problems, ...warnUnset(tree, env)]
  return { ok: all.every(({ level }) => level === 'warning'), problems: all }
}
