import type { RunOptions } from '../contract/api.ts'
import { type ErrorData, TroupeError } from '../contract/errors.ts'
import type { Conversations } from './conversations.ts'
import type { LiveSettings } from './live-settings.ts'
import { type CheckedRunOptions, checkRunOptions } from './run-options.ts'
import type { RunState } from './tracked.ts'

export interface Opening {
  readonly run: RunState
  readonly prompt: string
  readonly options: RunOptions
  /** The options as they were when the run was asked for. */
  readonly asked: CheckedRunOptions
  readonly conversations: Conversations
  readonly live: LiveSettings
}

export interface Opened {
  /** The options under the settings that the run holds to. */
  readonly checked: CheckedRunOptions
  /** Why the run may not start. */
  readonly refused: ErrorData | null
  /** What the run has to be told about its settings. */
  readonly notices: readonly string[]
}

/** What a run waits for before its lead is planned: whatever is decided here, and set in `run`, holds until it ends. */
export const openRun = async ({ run, prompt, options, asked, conversations, live }: Opening): Promise<Opened> => {
  await live.refresh()
  const { settings, notices } = live.take()
  run.settings = settings
  const checked = recheck(prompt, options, run)
  if ('code' in checked) return { checked: asked, refused: checked, notices }
  const conversation = await conversations.open(run.threadId)
  const busy = { code: 'THREAD_BUSY', message: `Another run is under way on thread ${run.threadId}` } as const
  if (conversation) run.conversation = conversation
  return { checked, refused: conversation ? null : busy, notices }
}

/** Names that the options use may have come with an edit of the config, or gone. */
const recheck = (prompt: string, options: RunOptions, { settings }: RunState): CheckedRunOptions | ErrorData => {
  try {
    return checkRunOptions(prompt, options, settings)
  } catch (thrown) {
    if (!(thrown instanceof TroupeError)) throw thrown
    return { code: thrown.code, message: thrown.message }
  }
}
