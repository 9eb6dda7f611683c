import { allocateControl } from '../control/control.ts'
import { createAnswer, isFault } from '../models/answer.ts'
import { systemClock } from '../models/clock.ts'
import type { StreamModel } from '../models/port.ts'
import { requestBody } from '../models/request-body.ts'
import { createResilient } from '../models/resilient.ts'
import { startAgent } from './agents.ts'
import { createOutbox } from './outbox.ts'
import { createReplies } from './replies.ts'
import type { Thread } from './thread.ts'
import { createToolbox } from './toolbox.ts'

/** Agents run before code that is new to a thread is about as fast as it gets: cold, a turn costs three to four times as much. */
const ROUNDS = 120

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'warm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const USAGE = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
const END = `data: ${JSON.stringify(USAGE)}\n\ndata: [DONE]\n\n`
const TOOL = {
  name: 'nothing',
  description: '',
  parameters: {},
  placement: 'worker',
  timeoutMs: 1000,
  group: null,
  module: null,
} as const
const CALL = { index: 0, id: 'call', type: 'function', function: { name: TOOL.name, arguments: '{"of": "note"}' } }
const ASKS = event({ role: 'assistant', tool_calls: [CALL] }, null) + event({}, 'tool_calls') + END
const ANSWERS = event({ role: 'assistant', content: 'warm' }, null) + event({ content: ' enough' }, 'stop') + END

/** Answers from memory, through the code that reads real answers: four rounds of calls, then text. */
const fromMemory: StreamModel = (request, sink) => {
  requestBody(request)
  let open = true
  const answer = createAnswer({ text: sink.text, settled: () => {} })
  setImmediate(() => {
    if (!open) return
    answer.head(200, () => undefined)
    answer.piece(request.messages.length < 8 ? ASKS : ANSWERS)
    answer.end()
    const outcome = answer.outcome(null)
    if (!isFault(outcome)) sink.done(outcome)
  })
  return () => {
    open = false
  }
}

const MODEL = {
  name: 'warm',
  model: 'warm',
  use: null,
  baseUrl: '',
  apiKey: null,
  unset: null,
  maxRetries: 0,
  connectTimeoutMs: 0,
  firstByteTimeoutMs: 0,
  streamIdleTimeoutMs: 0,
  timeoutMs: 0,
  reasoningReplay: 'auto',
  fallbacks: [],
} as const

const OUTPUT = {
  enabled: false,
  externalizeMinChars: 0,
  previewHeadChars: 0,
  previewTailChars: 0,
  fallbackMaxChars: 0,
  fallbackHeadChars: 0,
  fallbackTailChars: 0,
  storageSubdir: '',
  exemptTools: [],
  toolOverrides: {},
}
/** Every guard looks, and none has anything to say. */
const GUARDS = {
  wrapUp: true,
  loop: { warn: 10, hard: 10, window: 10, toolWarn: 10, toolHard: 10, overrides: {} },
  budget: { maxTokens: 1e9, maxInputTokens: null, maxOutputTokens: null, warnAt: 1, stopAt: 1 },
  compaction: null,
} as const

/** Runs a few agents that touch nothing outside this thread, one after the other, so that real ones find it warm. */
export const prewarm = (): void => {
  const control = allocateControl(1, 1)
  const settings = {
    revision: 0,
    models: [MODEL],
    tools: [TOOL],
    mounts: [],
    home: '/',
    graceMs: 0,
    output: OUTPUT,
    commands: null,
  }
  const thread: Thread = {
    index: 0,
    control,
    outbox: createOutbox(() => {}),
    stream: createResilient({ stream: fromMemory, cooldown: control, clock: systemClock, random: Math.random }),
    delegations: createReplies(),
    calls: createReplies(),
    watched: createReplies(),
    places: createReplies(),
    residents: new Set(),
    toolboxes: new Map([[0, createToolbox(settings)]]),
    post: () => {},
  }
  const round = (left: number): void => {
    if (left === 0) return
    const ref = control.occupy(0)
    const envelope = {
      ...ref,
      gate: ref,
      role: 'subagent',
      runId: 'warm',
      threadId: 'warm',
      taskId: 'warm',
      agent: 'warm',
      settings: 0,
      model: 'warm',
      system: 'warm',
      prompt: 'warm',
      conversation: null,
      tools: [TOOL.name],
      maxTurns: 10,
      guards: GUARDS,
      deadlineAt: Number.POSITIVE_INFINITY,
      traceparent: '',
      deltas: true,
      states: false,
      delegation: null,
    } as const
    startAgent(thread, envelope, () => setImmediate(round, left - 1))
  }
  round(ROUNDS)
}
