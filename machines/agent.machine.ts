import { assign, setup } from 'xstate'
import type { ErrorData } from '../src/contract/errors.ts'
import type { StopReason, TerminalStatus } from '../src/contract/status.ts'

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
  readonly error: ErrorData | null
}

export type AgentEvent =
  /** The model answered and asks for nothing more. */
  | { readonly type: 'ANSWERED'; readonly step: number; readonly hasText: boolean }
  /** The model answered with tool calls. `hasText`: whether it has said anything so far. */
  | { readonly type: 'CALLS'; readonly step: number; readonly hasText: boolean }
  | { readonly type: 'MODEL_FAILED'; readonly step: number; readonly error: ErrorData }
  | { readonly type: 'TOOLS_DONE'; readonly step: number }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'DEADLINE' }

const EMPTY_ANSWER: ErrorData = { code: 'MODEL_EMPTY', message: 'The model gave an empty answer.' }

/**
 * An agent, lead or subagent: think, act, repeat, until an answer, a spent budget, a failure, a cancel or a deadline.
 *
 * `think`, `act` and `wrapUp` are effects: they start work elsewhere and its outcome comes back as an event with the
 * step it belongs to. Here they do nothing, so that the paths can be walked; whoever runs agents provides them.
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
    isEmpty: ({ event }) => event.type === 'ANSWERED' && !event.hasText,
    isLastTurn: ({ context }) => context.turn + 1 >= context.maxTurns,
    mayWrapUp: ({ context }) => context.turn + 1 >= context.maxTurns && context.wrapUp,
  },
  actions: {
    nextStep: assign({ step: ({ context }) => context.step + 1 }),
    countTurn: assign({ turn: ({ context }) => context.turn + 1 }),
    keepText: assign({ hasText: ({ context, event }) => context.hasText || ('hasText' in event && event.hasText) }),
    keepError: assign({ error: (_, error: ErrorData) => error }),
    think: () => {},
    act: () => {},
    wrapUp: () => {},
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({ ...input, turn: 0, step: 0, hasText: false, error: null }),
  initial: 'running',
  states: {
    running: {
      on: { CANCEL: 'cancelled', DEADLINE: 'timed_out' },
      initial: 'thinking',
      states: {
        thinking: {
          entry: ['nextStep', 'think'],
          on: {
            ANSWERED: [
              { guard: 'isStale' },
              {
                guard: 'isEmpty',
                target: '#agent.failed',
                actions: ['countTurn', { type: 'keepError', params: EMPTY_ANSWER }],
              },
              { target: '#agent.completed', actions: 'countTurn' },
            ],
            CALLS: [
              { guard: 'isStale' },
              { guard: 'mayWrapUp', target: 'wrapping_up', actions: ['countTurn', 'keepText'] },
              { guard: 'isLastTurn', target: '#agent.turn_capped', actions: ['countTurn', 'keepText'] },
              { target: 'acting', actions: ['countTurn', 'keepText'] },
            ],
            MODEL_FAILED: [
              { guard: 'isStale' },
              { target: '#agent.failed', actions: { type: 'keepError', params: ({ event }) => event.error } },
            ],
          },
        },
        acting: {
          entry: ['nextStep', 'act'],
          on: { TOOLS_DONE: [{ guard: 'isStale' }, { target: 'thinking' }] },
        },
        wrapping_up: {
          entry: ['nextStep', 'wrapUp'],
          on: {
            ANSWERED: [{ guard: 'isStale' }, { target: '#agent.turn_capped', actions: 'keepText' }],
            CALLS: [{ guard: 'isStale' }, { target: '#agent.turn_capped', actions: 'keepText' }],
            MODEL_FAILED: [{ guard: 'isStale' }, { target: '#agent.turn_capped' }],
          },
        },
      },
    },
    completed: { type: 'final', output: { status: 'completed', stopReason: null, error: null } },
    turn_capped: {
      type: 'final',
      output: ({ context }): AgentOutput =>
        context.hasText
          ? { status: 'completed', stopReason: 'turn_capped', error: null }
          : {
              status: 'failed',
              stopReason: 'turn_capped',
              error: { code: 'CAPPED', message: `Reached max_turns=${context.maxTurns}` },
            },
    },
    timed_out: { type: 'final', output: { status: 'timed_out', stopReason: null, error: null } },
    cancelled: { type: 'final', output: { status: 'cancelled', stopReason: null, error: null } },
    failed: {
      type: 'final',
      output: ({ context }): AgentOutput => ({ status: 'failed', stopReason: null, error: context.error }),
    },
  },
  output: ({ event }) => event.output as AgentOutput,
})
