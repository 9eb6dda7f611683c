import type { TaskOutcome, ThreadMessage } from '../contract/envelopes.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import type { Control } from '../control/control.ts'
import type { CallModel } from '../models/port.ts'
import type { Outbox } from './outbox.ts'
import type { Replies } from './replies.ts'
import type { Toolbox } from './toolbox.ts'

/** An agent as its thread sees it. */
export interface Resident {
  /** Ends the agent if it was asked to stop. */
  stopIfAsked(): void
}

/** What the agents of one thread share. */
export interface Thread {
  /** Place of this thread in shared memory. */
  readonly index: number
  readonly control: Control
  readonly outbox: Outbox
  readonly stream: CallModel
  readonly delegations: Replies<string, TaskOutcome>
  /** Tool calls that run elsewhere. */
  readonly calls: Replies<number, ToolOutcome>
  /** Commands that wait for the host to watch their process group, by its id. */
  readonly watched: Replies<number, void>
  /** Commands that wait for a place. */
  readonly places: Replies<number, boolean>
  readonly residents: Set<Resident>
  readonly toolboxes: Map<number, Toolbox>
  post(message: ThreadMessage): void
}
