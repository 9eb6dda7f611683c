import { createActor } from 'xstate'
import { delegationMachine } from '../../machines/delegation.machine.ts'
import type { Assignment } from './assignment.ts'
import type { RunState } from './run-state.ts'

/** What is known of an agent before the host tracks it. */
export type AssignmentPlan = Pick<
  Assignment,
  'taskId' | 'subagentType' | 'description' | 'modelName' | 'limits' | 'envelope'
>

/** What the delegation machine makes happen. */
export interface Effects {
  dispatch(assignment: Assignment): void
  askToStop(assignment: Assignment): void
  force(assignment: Assignment): void
  declareLost(assignment: Assignment): void
}

/** Assignments by the key their machine carries, of every runtime in the process. */
const tracked = new Map<number, { readonly assignment: Assignment; readonly effects: Effects }>()
let lastKey = 0

const effect =
  (name: keyof Effects) =>
  ({ context }: { context: { readonly agent: number } }): void => {
    const found = tracked.get(context.agent)
    found?.effects[name](found.assignment)
  }

const machine = delegationMachine.provide({
  actions: {
    dispatch: effect('dispatch'),
    askToStop: effect('askToStop'),
    force: effect('force'),
    declareLost: effect('declareLost'),
  },
})

const nothing = (): void => {}

export const createAssignment = (run: RunState, plan: AssignmentPlan, queuedAt: number, effects: Effects): Assignment => {
  const key = ++lastKey
  const actor = createActor(machine, { input: { agent: key } })
  const assignment: Assignment = {
    ...plan,
    run,
    actor,
    progress: { said: null, counted: null, files: new Set() },
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
    cancelDeadline: nothing,
    cancelGrace: nothing,
  }
  tracked.set(key, { assignment, effects })
  actor.subscribe({ complete: () => void tracked.delete(key), error: () => void tracked.delete(key) })
  actor.start()
  return assignment
}
