import type { ErrorData } from '../contract/errors.ts'
import type { Conversations } from './conversations.ts'
import type { RunState } from './tracked.ts'

/**
 * What a run waits for before its lead is planned: whatever is decided here, and set in `run`, holds until it ends.
 * Resolves with why the run may not start, else with `null`.
 */
export const openRun = async (run: RunState, conversations: Conversations): Promise<ErrorData | null> => {
  const conversation = await conversations.open(run.threadId)
  if (!conversation) return { code: 'THREAD_BUSY', message: `Another run is under way on thread ${run.threadId}` }
  run.conversation = conversation
  return null
}
