import type { TaskOutcome } from '../../src/contract/envelopes.ts'

/** What a task came to: completed with nothing to say, but for these fields. */
export const outcome = (fields: Partial<TaskOutcome>): TaskOutcome => ({
  status: 'completed',
  stopReason: null,
  result: '',
  error: '',
  partialText: '',
  modelName: null,
  usage: null,
  resultSha256: '',
  ...fields,
})
