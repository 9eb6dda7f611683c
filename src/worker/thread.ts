import type { TaskOutcome, ThreadMessage } from '../contract/envelopes.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import type { Control } from '../control/control.ts'
import type { StreamModel } from '../models/port.ts'
import type { Agent } from './agent.ts'
import type { Outbox } from './outbox.ts'
import type { Replies } from './replies.ts'
import type { Toolbox } from './toolbox.ts'

/** What the agents of one thread share. */
export interface Thread {
  /** Place of this thread in shared memory. */
  readonly index: number
  readonly control: Control
  readonly outbox: Outbox
  readonly stream: StreamModel
  readonly delegations: Replies<string, TaskOutcome>
  /** Tool calls that run elsewhere. */
  readonly calls: Replies<number, ToolOutcome>
  readonly agents: Set<Agent>
  readonly toolboxes: Map<number, Toolbox>
  post(message: ThreadMessage): void
}
