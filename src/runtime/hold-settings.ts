import type { RunOptions } from '../contract/api.ts'
import { type ErrorData, TroupeError } from '../contract/errors.ts'
import type { LiveSettings } from './live-settings.ts'
import { type CheckedRunOptions, checkRunOptions } from './run-options.ts'
import type { RunState } from './tracked.ts'

export interface Held {
  /** The options under the settings that the run holds to, or why they do not fit them. */
  readonly checked: CheckedRunOptions | ErrorData
  /** What the run has to be told about its settings. */
  readonly notices: readonly string[]
}

/** Gives a run the settings it holds to from here to its end, once an edit of the config has been read. */
export const holdSettings = async (
  run: RunState,
  prompt: string,
  options: RunOptions,
  live: LiveSettings,
): Promise<Held> => {
  await live.refresh()
  const { settings, notices } = live.take()
  run.settings = settings
  try {
    return { checked: checkRunOptions(prompt, options, settings), notices }
  } catch (thrown) {
    // A name that the options use may have gone with an edit of the config, or never come with it.
    if (!(thrown instanceof TroupeError)) throw thrown
    return { checked: { code: thrown.code, message: thrown.message }, notices }
  }
}
