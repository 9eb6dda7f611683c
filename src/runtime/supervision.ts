import type { Log } from '../contract/api.ts'
import type { DelegationAsk, RemoteCall } from '../contract/envelopes.ts'
import type { Control } from '../control/control.ts'
import type { Admission } from './admission.ts'
import type { Clock } from './clock.ts'
import type { CommandPlaces } from './command-places.ts'
import type { Commands } from './commands.ts'
import type { Dispatch } from './dispatch.ts'
import type { Slots } from './slots.ts'
import type { Threads } from './threads.ts'
import type { Effects } from './track.ts'
import type { Assignment, Plan, RunState } from './tracked.ts'

export interface SupervisorOptions {
  readonly control: Control
  readonly clock: Clock
  readonly log: Log
  readonly perThread: number
  /** Milliseconds an agent has to end itself once it was asked to. */
  readonly settleMs: number
  readonly threads: Threads
  /** Threads that take new agents now. */
  ready(): readonly number[]
  /** What a delegation will be, or why it may not start. */
  planTask(run: RunState, ask: DelegationAsk): Plan | { readonly error: string }
  startCall(thread: number, assignment: Assignment, call: RemoteCall): void
  abortCall(key: string): void
  /** The thread has not let one of its agents end itself. */
  suspect(thread: number): void
  readonly commands: Pick<Commands, 'receive' | 'end'>
  readonly commandPlaces: Pick<CommandPlaces, 'ask' | 'leave' | 'end'>
}

/** What the parts of the supervisor share. */
export interface Supervision extends SupervisorOptions {
  readonly slots: Slots
  readonly admission: Admission
  readonly dispatch: Dispatch
  readonly effects: Effects
  /** Whose slot it is, until the slot is free again. */
  readonly bySlot: Map<number, Assignment>
  /** Agents that a thread may still touch, by thread. */
  readonly held: Map<number, Set<Assignment>>
  /** Asked for and without a place yet. */
  readonly waiting: Set<Assignment>
}

export const threadOf = ({ thread }: Assignment): number => thread ?? -1
