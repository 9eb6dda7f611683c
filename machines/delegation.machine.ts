import { assign, setup } from 'xstate'
import type { StopCause, TerminalStatus } from '../src/contract/status.ts'

export interface DelegationInput {
  /** How the effects find the agent; the machine only hands it on. */
  readonly agent: number
}

interface DelegationContext extends DelegationInput {
  readonly cause: StopCause | null
}

export type DelegationEvent =
  /** There is a place for it. */
  | { readonly type: 'ADMITTED' }
  /** Its thread has it. The agent's clock starts. */
  | { readonly type: 'STARTED' }
  | { readonly type: 'STOP'; readonly cause: StopCause }
  /** It was asked to stop and has not, within the grace time. */
  | { readonly type: 'GRACE_OVER' }
  /** The one terminal swap was won, by the agent or on its behalf. */
  | { readonly type: 'SETTLED'; readonly status: TerminalStatus }
  /** Its thread died or was given up. */
  | { readonly type: 'LOST' }

const settled = [
  { guard: { type: 'settledAs', params: { status: 'completed' } }, target: '#delegation.completed' },
  { guard: { type: 'settledAs', params: { status: 'needs_input' } }, target: '#delegation.needs_input' },
  { guard: { type: 'settledAs', params: { status: 'cancelled' } }, target: '#delegation.cancelled' },
  { guard: { type: 'settledAs', params: { status: 'timed_out' } }, target: '#delegation.timed_out' },
  { target: '#delegation.failed' },
] as const

/**
 * One agent as the host sees it, from the ask to its one end. The host never decides an end here: it enters a final
 * state only through `SETTLED`, once the swap in shared memory has been won by somebody, or when nothing had started.
 */
export const delegationMachine = setup({
  types: {
    input: {} as DelegationInput,
    output: {} as { readonly status: TerminalStatus },
    context: {} as DelegationContext,
    events: {} as DelegationEvent,
  },
  guards: {
    settledAs: ({ event }, { status }: { status: TerminalStatus }) =>
      event.type === 'SETTLED' && event.status === status,
  },
  actions: {
    keepCause: assign({ cause: (_, cause: StopCause) => cause }),
    dispatch: () => {},
    askToStop: () => {},
    force: () => {},
    declareLost: () => {},
  },
}).createMachine({
  id: 'delegation',
  context: ({ input }) => ({ ...input, cause: null }),
  initial: 'queued',
  states: {
    queued: {
      on: { ADMITTED: 'starting', STOP: 'cancelled', LOST: 'failed' },
    },
    starting: {
      entry: 'dispatch',
      on: {
        STARTED: 'running',
        STOP: { target: 'stopping', actions: { type: 'keepCause', params: ({ event }) => event.cause } },
        LOST: { actions: 'declareLost' },
        SETTLED: settled,
      },
    },
    running: {
      on: {
        STOP: { target: 'stopping', actions: { type: 'keepCause', params: ({ event }) => event.cause } },
        LOST: { actions: 'declareLost' },
        SETTLED: settled,
      },
    },
    stopping: {
      initial: 'asked',
      // The stop came first, so it says how the agent ended.
      on: { LOST: { actions: 'force' }, SETTLED: settled },
      states: {
        asked: { entry: 'askToStop', on: { GRACE_OVER: 'forced' } },
        forced: { entry: 'force' },
      },
    },
    completed: { type: 'final', output: { status: 'completed' } },
    needs_input: { type: 'final', output: { status: 'needs_input' } },
    cancelled: { type: 'final', output: { status: 'cancelled' } },
    timed_out: { type: 'final', output: { status: 'timed_out' } },
    failed: { type: 'final', output: { status: 'failed' } },
  },
  output: ({ event }) => event.output as { readonly status: TerminalStatus },
})
