import { type ErrorData, messageOf, TroupeError } from '../contract/errors.ts'
import type { Conversations, Opened } from './conversations/conversations.ts'
import type { CheckedRunOptions } from './run-options.ts'
import { announceRun } from './run-state.ts'
import type { RunState } from './tracked.ts'

/**
 * What a run waits for before its lead is planned: whatever is decided here, and set in `run`, holds until it ends.
 * Resolves with why the run may not start, else with `null`.
 */
export const openRun = async (
  run: RunState,
  options: CheckedRunOptions,
  conversations: Conversations,
): Promise<ErrorData | null> => {
  const opened = await openConversation(run, options, conversations)
  announceRun(run, options)
  if ('code' in opened) return opened
  run.conversation = opened.conversation
  run.recalled = opened.recalled
  if (opened.interrupted !== null) warnOf(run, `${opened.interrupted} was cut off: its last words may be missing`)
  return null
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
