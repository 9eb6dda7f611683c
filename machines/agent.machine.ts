import { assign, setup } from 'xstate'
import type { ErrorData } from '../src/contract/errors.ts'
import type { StopReason, TerminalStatus } from '../src/contract/status.ts'
import type { Cap } from '../src/policy/cap.ts'

export interface AgentInput {
  /** How the effects find the agent; the machine only hands it on. */
  readonly agent: number
  /** Completed model responses the agent may have. */
  readonly maxTurns: number
  /** Whether a capped agent gets one last call without tools to say what it found. */
  readonly wrapUp: boolean
}

export interface AgentOutput {
  readonly status: TerminalStatus
  readonly stopReason: StopReason | null
  readonly error: ErrorData | null
}

interface AgentContext extends AgentInput {
  readonly turn: number
  /** Number of the effect under way; an outcome that names another is stale. */
  readonly step: number
  /** Whether there is any text to give back. */
  readonly hasText: boolean
  /** Responses in a row that came to nothing and were asked for again. */
  readonly corrections: number
  readonly cap: Cap | null
  readonly error: ErrorData | null
}

/** A response that is no answer yet. */
interface Unfinished {
  readonly step: number
  /** Whether the agent has said anything so far. */
  readonly hasText: boolean
  /** Why it has spent too much, or `null`. */
  readonly budget: string | null
}

export type AgentEvent =
  /** The model answered and asks for nothing more. */
  | { readonly type: 'ANSWERED'; readonly step: number }
  /** The model asks for tools. `loop`: why that leads nowhere, or `null`. */
  | ({ readonly type: 'CALLS'; readonly loop: string | null } & Unfinished)
  /** The model gave neither text nor calls. `error`: what that comes to if it stays so. */
  | ({ readonly type: 'EMPTY'; readonly error: ErrorData } & Unfinished)
  /** The model wrote calls as text instead of making them. */
  | ({ readonly type: 'MISCALLED'; readonly error: ErrorData } & Unfinished)
  | { readonly type: 'MODEL_FAILED'; readonly step: number; readonly error: ErrorData }
  /** The last call without tools was answered. */
  | { readonly type: 'WRAPPED_UP'; readonly step: number; readonly hasText: boolean }
  /** The transcript must become shorter before the model is asked again. */
  | { readonly type: 'TOO_LONG'; readonly step: number }
  /** It is shorter now, or as short as it gets. */
  | { readonly type: 'COMPACTED'; readonly step: number }
  | { readonly type: 'TOOLS_DONE'; readonly step: number }
  /** A tool asked the user something. */
  | { readonly type: 'ASKED'; readonly step: number }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'DEADLINE' }

/** How often in a row a response that came to nothing is asked for again. Source: decision 4. */
const CORRECTIONS_MAX = 1

/**
 * An agent, lead or subagent: think, act, repeat, until an answer, a spent budget, a failure, a cancel or a deadline.
 *
 * `think`, `act`, `compact` and `wrapUp` are effects: they start work elsewhere and its outcome comes back as an event
 * with the step it belongs to. `record` and `recordText` put the response, or its text alone, into the transcript. Here
 * they do nothing, so that the paths can be walked; whoever runs agents provides them.
 */
export const agentMachine = setup({
  types: {
    input: {} as AgentInput,
    output: {} as AgentOutput,
    context: {} as AgentContext,
    events: {} as AgentEvent,
  },
  guards: {
    isStale: ({ context, event }) => 'step' in event && event.step !== context.step,
    isLooping: ({ event }) => 'loop' in event && event.loop !== null,
    isOverBudget: ({ event }) => 'budget' in event && event.budget !== null,
    isLastTurn: ({ context }) => context.turn + 1 >= context.maxTurns,
    mayCorrect: ({ context }) => context.corrections < CORRECTIONS_MAX,
    mayWrapUp: ({ context }) => context.wrapUp,
    stoppedBy: ({ context }, reason: StopReason) => context.cap?.reason === reason,
  },
  actions: {
    nextStep: assign({ step: ({ context }) => context.step + 1 }),
    countTurn: assign({ turn: ({ context }) => context.turn + 1 }),
    /** A turn that leads on. One assignment: this is what happens at every step of every agent. */
    takeTurn: assign({
      turn: ({ context }) => context.turn + 1,
      hasText: ({ context, event }) => context.hasText || ('hasText' in event && event.hasText),
      corrections: 0,
    }),
    countCorrection: assign({ corrections: ({ context }) => context.corrections + 1 }),
    keepText: assign({ hasText: ({ context, event }) => context.hasText || ('hasText' in event && event.hasText) }),
    keepError: assign({ error: ({ event }) => ('error' in event ? event.error : null) }),
    stopForLoop: assign({
      cap: ({ event }) => ({ reason: 'loop_capped', why: ('loop' in event && event.loop) || '' }),
    }),
    stopForTokens: assign({
      cap: ({ event }) => ({ reason: 'token_capped', why: ('budget' in event && event.budget) || '' }),
    }),
    stopForTurns: assign({
      cap: ({ context }) => ({ reason: 'turn_capped', why: `Reached max_turns=${context.maxTurns}` }),
    }),
    spendWrapUp: assign({ wrapUp: false }),
    think: () => {},
    act: () => {},
    compact: () => {},
    wrapUp: () => {},
    record: () => {},
    recordText: () => {},
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({
    ...input,
    turn: 0,
    step: 0,
    hasText: false,
    corrections: 0,
    cap: null,
    error: null,
  }),
  initial: 'running',
  states: {
    running: {
      on: { CANCEL: 'cancelled', DEADLINE: 'timed_out' },
      initial: 'thinking',
      states: {
        thinking: {
          entry: ['nextStep', 'think'],
          on: {
            TOO_LONG: [{ guard: 'isStale' }, { target: 'compacting' }],
            ANSWERED: [{ guard: 'isStale' }, { target: '#agent.completed', actions: ['countTurn', 'record'] }],
            CALLS: [
              { guard: 'isStale' },
              { guard: 'isLooping', target: 'capped', actions: ['countTurn', 'keepText', 'stopForLoop'] },
              { guard: 'isOverBudget', target: 'capped', actions: ['countTurn', 'keepText', 'stopForTokens'] },
              { guard: 'isLastTurn', target: 'capped', actions: ['countTurn', 'keepText', 'stopForTurns'] },
              { target: 'acting', actions: ['takeTurn', 'record'] },
            ],
            // Asked for again, the same turn: nothing of it stays.
            EMPTY: [
              { guard: 'isStale' },
              { guard: 'isOverBudget', target: 'capped', actions: ['keepText', 'stopForTokens'] },
              { guard: 'mayCorrect', target: 'thinking', reenter: true, actions: 'countCorrection' },
              { target: '#agent.failed', actions: 'keepError' },
            ],
            MISCALLED: [
              { guard: 'isStale' },
              { guard: 'isOverBudget', target: 'capped', actions: ['countTurn', 'keepText', 'stopForTokens'] },
              { guard: 'isLastTurn', target: 'capped', actions: ['countTurn', 'keepText', 'stopForTurns'] },
              {
                guard: 'mayCorrect',
                target: 'thinking',
                reenter: true,
                actions: ['countTurn', 'countCorrection', 'record'],
              },
              { target: '#agent.failed', actions: ['countTurn', 'keepError', 'record'] },
            ],
            MODEL_FAILED: [{ guard: 'isStale' }, { target: '#agent.failed', actions: 'keepError' }],
          },
        },
        acting: {
          entry: ['nextStep', 'act'],
          on: {
            TOOLS_DONE: [{ guard: 'isStale' }, { target: 'thinking' }],
            ASKED: [{ guard: 'isStale' }, { target: '#agent.needs_input' }],
          },
        },
        compacting: {
          entry: ['nextStep', 'compact'],
          on: { COMPACTED: [{ guard: 'isStale' }, { target: 'thinking' }] },
        },
        capped: {
          always: [
            { guard: 'mayWrapUp', target: 'wrapping_up', actions: 'record' },
            {
              guard: { type: 'stoppedBy', params: 'loop_capped' },
              target: '#agent.loop_capped',
              actions: 'recordText',
            },
            {
              guard: { type: 'stoppedBy', params: 'token_capped' },
              target: '#agent.token_capped',
              actions: 'recordText',
            },
            { target: '#agent.turn_capped', actions: 'recordText' },
          ],
        },
        wrapping_up: {
          entry: ['nextStep', 'spendWrapUp', 'wrapUp'],
          on: {
            WRAPPED_UP: [{ guard: 'isStale' }, { target: 'capped', actions: 'keepText' }],
            MODEL_FAILED: [{ guard: 'isStale' }, { target: 'capped' }],
          },
        },
      },
    },
    completed: { type: 'final', output: { status: 'completed', stopReason: null, error: null } },
    turn_capped: { type: 'final', output: cappedOutput },
    token_capped: { type: 'final', output: cappedOutput },
    loop_capped: { type: 'final', output: cappedOutput },
    timed_out: { type: 'final', output: { status: 'timed_out', stopReason: null, error: null } },
    cancelled: { type: 'final', output: { status: 'cancelled', stopReason: null, error: null } },
    needs_input: { type: 'final', output: { status: 'needs_input', stopReason: null, error: null } },
    failed: {
      type: 'final',
      output: ({ context }): AgentOutput => ({ status: 'failed', stopReason: null, error: context.error }),
    },
  },
  output: ({ event }) => event.output as AgentOutput,
})

/** Any text at all makes a result of what a capped agent did. */
function cappedOutput({ context: { cap, hasText } }: { readonly context: AgentContext }): AgentOutput {
  const stopReason = cap?.reason ?? null
  return hasText
    ? { status: 'completed', stopReason, error: null }
    : { status: 'failed', stopReason, error: { code: 'CAPPED', message: cap?.why ?? '' } }
}
