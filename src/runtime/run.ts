import type { Run } from '../contract/api.ts'
import type { RunResult } from '../contract/result.ts'
import type { Supervisor } from './supervisor.ts'
import type { RunState } from './tracked.ts'
import { watchLog } from './watch.ts'

/** The embedder's handle on a run. */
export const createRun = (state: RunState, result: Promise<RunResult>, supervisor: Supervisor): Run => {
  const cancel = (reason?: string): void => supervisor.stopRun(state, 'cancel', reason ?? null)
  return {
    id: state.id,
    threadId: state.threadId,
    result,
    cancel,
    cancelTask: (taskId, reason) => supervisor.stopTask(state, taskId, reason ?? null),
    watch: ({ from = 1 } = {}) => watchLog(state.log, from),
    // No agent of this version asks for a permission, so no request can be open.
    reply: () => {},
    [Symbol.asyncIterator]: () => watchLog(state.log, 1, cancel)[Symbol.asyncIterator](),
    async [Symbol.asyncDispose]() {
      cancel()
      await result
    },
  }
}
