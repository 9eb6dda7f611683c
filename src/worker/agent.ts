import { join } from 'node:path'
import type { ActorRefFrom } from 'xstate'
import type { agentMachine } from '../../machines/agent.machine.ts'
import type { LedgerRow } from '../contract/conversation.ts'
import type { AgentEnvelope, AgentEventType, AgentItem } from '../contract/envelopes.ts'
import type { EventFields, WarningCode } from '../contract/events.ts'
import type { AssistantMessage, Message, Usage } from '../contract/messages.ts'
import type { ToolSpec } from '../contract/tools.ts'
import { createView, type View as SandboxView } from '../sandbox/view.ts'
import type { Resident, Thread } from './thread.ts'
import type { Toolbox } from './toolbox.ts'
import type { Watch } from './watch.ts'

/** One agent on its thread: what its machine must not carry, since a machine's context is small and plain. */
export interface Agent extends Resident {
  readonly thread: Thread
  readonly envelope: AgentEnvelope
  readonly toolbox: Toolbox
  readonly tools: readonly ToolSpec[]
  /** What it can name of the machine, once it has used a tool that asks. */
  view: SandboxView | null
  readonly actor: ActorRefFrom<typeof agentMachine>
  readonly transcript: Message[]
  /** Every tool call id used so far: the wire needs them unique. */
  readonly callIds: Set<string>
  readonly files: Set<string>
  /** What the guards remember of it. */
  readonly watch: Watch
  /** The response that its machine decides on now. */
  response: AssistantMessage | null
  /** Stands for what was compacted. */
  summary: string | null
  /** Delegations of this conversation, those of earlier runs first. */
  ledger: readonly LedgerRow[]
  /** Told to the model with the next request only. */
  note: string | null
  usage: Usage | null
  /** Name of the model that answered last; before any did, of the one that is asked. */
  answeredBy: string
  turns: number
  /** Messages so far, for their ids; and those of them that were told as progress. */
  messages: number
  told: number
  /** Delegations that count against the run's total: those under way and those that had their place. */
  delegations: number
  /** The last text that was not blank: the answer, or what is left of the work. */
  lastText: string
  /** What has come of the answer in flight. */
  writing: string
  /** Stops whatever is in flight. */
  abort: () => void
  ended: boolean
}

type ItemBody = AgentItem extends infer Item
  ? Item extends AgentItem
    ? Omit<Item, 'slot' | 'generation' | 'time'>
    : never
  : never

export const itemOf = ({ envelope }: Agent, body: ItemBody): AgentItem =>
  ({ slot: envelope.slot, generation: envelope.generation, time: Date.now(), ...body }) as AgentItem

export const tell = (agent: Agent, body: ItemBody): void => agent.thread.outbox.put(itemOf(agent, body))

/** Tells an event of the run. */
export const tellEvent = <T extends AgentEventType>(
  agent: Agent,
  type: T,
  fields: EventFields[T],
  says = false,
): void => tell(agent, { kind: 'event', type, fields: JSON.stringify(fields), says })

/** What of the machine an agent can name. */
export const viewOf = (agent: Agent): SandboxView => {
  const { envelope, toolbox } = agent
  const { home, mounts } = toolbox.settings
  agent.view ??= createView({ userData: join(home, 'threads', envelope.threadId, 'user-data'), mounts })
  return agent.view
}

/** Leaves word for the model, beside what waits to be told already. */
export const addNote = (agent: Agent, note: string): void => {
  if (agent.note === null) agent.note = note
  else if (!agent.note.includes(note)) agent.note = `${agent.note}\n\n${note}`
}

/** Tells the user of a guard that spoke. */
export const tellWarning = (agent: Agent, code: WarningCode, message: string): void => {
  const { taskId } = agent.envelope
  tellEvent(agent, 'warning', { code, message, ...(taskId !== null && { task_id: taskId }) })
}

export const NOTHING_IN_FLIGHT = (): void => {}
