import type { TaskOutcome } from '../contract/envelopes.ts'
import { type Supervision, threadOf } from './supervision.ts'
import type { RunState } from './tracked.ts'

/** Gives a lead that still waits the outcome of one of its `task` calls. */
export const answerLead = (s: Supervision, { lead }: RunState, callId: string, outcome: TaskOutcome): void => {
  if (!lead?.ref || lead.status !== null) return
  s.threads.post(threadOf(lead), { type: 'delegated', ...lead.ref, callId, outcome })
}
