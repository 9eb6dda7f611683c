import { NOTHING_RECALLED } from '../../src/contract/conversation.ts'
import type { EndReport } from '../../src/contract/envelopes.ts'
import { createEventLog } from '../../src/runtime/event-log.ts'
import type { Assignment, RunState } from '../../src/runtime/tracked.ts'
import { memoryConversation } from './memory-conversation.ts'

export const runOf = (id: string): RunState => ({
  id,
  threadId: 'T',
  startedAt: 0,
  log: createEventLog(id, 'T', () => 0),
  conversation: memoryConversation(),
  recalled: NOTHING_RECALLED,
  // What is tested with these never looks at the settings.
  settings: {} as RunState['settings'],
  traceId: '',
  traceparent: '',
  deltas: false,
  states: false,
  lead: null,
  stop: null,
  tasks: new Map(),
  live: 0,
  result: null,
  finish: () => {},
})

/** An agent as the host tracks it: a lead without `taskId`. */
export const assignmentOf = (fields: Partial<Assignment> = {}): Assignment => ({
  taskId: null,
  subagentType: 'general-purpose',
  description: 'a task',
  modelName: 'main',
  limits: { max_turns: 5, timeout_seconds: 30, token_budget: null },
  envelope: {} as Assignment['envelope'],
  run: runOf('r'),
  actor: {} as Assignment['actor'],
  progress: { said: null, counted: null, openCalls: 0, files: new Set() },
  queuedAt: 0,
  startedAt: 0,
  ref: null,
  thread: null,
  held: false,
  stop: null,
  report: null,
  fault: null,
  status: null,
  calls: new Set(),
  groups: new Set(),
  cancelDeadline: () => {},
  cancelGrace: () => {},
  ...fields,
})

export const reportWith = (fields: Partial<EndReport>): EndReport => ({
  status: 'completed',
  stopReason: null,
  text: 'the answer',
  error: null,
  usage: { input_tokens: 10, output_tokens: 1, total_tokens: 11 },
  turns: 2,
  files: [],
  modelName: 'main',
  resultSha256: 'f'.repeat(64),
  ...fields,
})
