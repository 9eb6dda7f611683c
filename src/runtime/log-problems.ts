import type { Log } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'

/** One line of the log for each problem that does not keep a config from being used. */
export const logProblems = (log: Log, problems: readonly Problem[]): void => {
  for (const { message, level: _, ...fields } of problems) log('warn', message, fields)
}
