import { createActor } from 'xstate'
import { delegationMachine } from '../../machines/delegation.machine.ts'
import type { TerminalStatus } from '../contract/status.ts'
import type { Assignment, Plan, RunState } from './tracked.ts'

/** What the delegation machine makes happen. */
export interface Effects {
  dispatch(assignment: Assignment): void
  askToStop(assignment: Assignment): void
  force(assignment: Assignment): void
  declareLost(assignment: Assignment): void
  /** The machine has reached its one end. */
  ended(assignment: Assignment, status: TerminalStatus): void
}

/** Assignments by the key their machine carries, of every runtime in the process. */
const tracked = new Map<number, { readonly assignment: Assignment; readonly effects: Effects }>()
let lastKey = 0

const effect =
  (name: Exclude<keyof Effects, 'ended'>) =>
  ({ context }: { context: { readonly agent: number } }): void => {
    const found = tracked.get(context.agent)
    found?.effects[name](found.assignment)
  }

// Once, for all: providing per delegation would cost more than all of its transitions.
const machine = delegationMachine.provide({
  actions: {
    dispatch: effect('dispatch'),
    askToStop: effect('askToStop'),
    force: effect('force'),
    declareLost: effect('declareLost'),
  },
})

const nothing = (): void => {}

/** Begins to track an agent: its machine runs from here to its one end. */
export const track = (run: RunState, plan: Plan, queuedAt: number, effects: Effects): Assignment => {
  const key = ++lastKey
  const actor = createActor(machine, { input: { agent: key } })
  const assignment: Assignment = {
    run,
    actor,
    progress: { said: null, counted: null, openCalls: 0, files: new Set() },
    queuedAt,
    startedAt: null,
    ref: null,
    thread: null,
    held: false,
    stop: null,
    report: null,
    fault: null,
    status: null,
    calls: new Set(),
    groups: new Set(),
    cancelDeadline: nothing,
    cancelGrace: nothing,
    ...plan,
  }
  tracked.set(key, { assignment, effects })
  const end = (status: TerminalStatus): void => {
    tracked.delete(key)
    effects.ended(assignment, status)
  }
  actor.subscribe({
    complete: () => end(actor.getSnapshot().output?.status ?? 'failed'),
    error: () => end('failed'),
  })
  actor.start()
  return assignment
}
