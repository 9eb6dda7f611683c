import type { RunOptions } from '../contract/api.ts'
import { type ErrorData, messageOf, TroupeError } from '../contract/errors.ts'
import type { Conversations, Opened } from './conversations/conversations.ts'
import { holdSettings } from './hold-settings.ts'
import type { LiveSettings } from './live-settings.ts'
import type { CheckedRunOptions } from './run-options.ts'
import { announceRun } from './run-state.ts'
import type { RunState } from './tracked.ts'

export interface Opening {
  readonly run: RunState
  readonly prompt: string
  readonly options: RunOptions
  /** The options as they were checked when the run was asked for. */
  readonly asked: CheckedRunOptions
  readonly conversations: Conversations
  readonly live: LiveSettings
}

/**
 * What a run waits for before its lead is planned: whatever is decided here, and set in `run`, holds until it ends.
 * Resolves with its options under the settings it holds to, or with why it may not start.
 */
export const openRun = async (opening: Opening): Promise<CheckedRunOptions | ErrorData> => {
  const { run, prompt, asked, conversations, live } = opening
  const { checked, notices } = await holdSettings(run, prompt, opening.options, live)
  const options = 'code' in checked ? asked : checked
  const opened = 'code' in checked ? checked : await openConversation(run, options, conversations)
  announceRun(run, options)
  for (const message of notices) run.log.append('warning', { code: 'config', message })
  if ('code' in opened) return opened
  run.conversation = opened.conversation
  run.recalled = opened.recalled
  if (opened.interrupted !== null) warnOf(run, `${opened.interrupted} was cut off: its last words may be missing`)
  return options
}

const warnOf = ({ log }: RunState, message: string): void => log.append('warning', { code: 'thread', message })

const openConversation = async (
  run: RunState,
  { threadId }: CheckedRunOptions,
  conversations: Conversations,
): Promise<Opened | ErrorData> => {
  const warn = (message: string): void => warnOf(run, message)
  try {
    const options = { threadId: run.threadId, runId: run.id, isNew: threadId === null, warn }
    const busy = { code: 'THREAD_BUSY', message: `Another run is under way on thread ${run.threadId}` } as const
    return (await conversations.open(options)) ?? busy
  } catch (error) {
    return { code: error instanceof TroupeError ? error.code : 'INTERNAL', message: messageOf(error) }
  }
}
