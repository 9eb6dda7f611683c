import type { ActorRefFrom } from 'xstate'
import type { delegationMachine } from '../../machines/delegation.machine.ts'
import type { Recalled } from '../contract/conversation.ts'
import type { AgentEnvelope, AgentRef, EndReport } from '../contract/envelopes.ts'
import type { ErrorData } from '../contract/errors.ts'
import type { AgentLimits } from '../contract/events.ts'
import type { RunResult } from '../contract/result.ts'
import type { StopCause, TerminalStatus } from '../contract/status.ts'
import type { Counters } from '../control/counters.ts'
import type { Conversation } from './conversations/conversations.ts'
import type { EventLog } from './event-log.ts'
import type { RunSettings } from './settings.ts'

/** What the host keeps of a live agent, so that partial work survives any death. */
export interface Progress {
  /** The last event in which the agent said something, as its JSON text. */
  said: string | null
  /** What shared memory had counted when the agent ended. */
  counted: Counters | null
  /** Calls of a lead that have a start among the events and no end. */
  openCalls: number
  readonly files: Set<string>
}

/** What is known of an agent before the host tracks it. */
export interface Plan {
  /** `null` for the lead. */
  readonly taskId: string | null
  readonly subagentType: string
  readonly description: string
  readonly modelName: string
  readonly limits: AgentLimits
  /** All but what it gets when it starts: its places in shared memory, its deadline, and a lead its conversation. */
  readonly envelope: Omit<AgentEnvelope, keyof AgentRef | 'gate' | 'deadlineAt' | 'conversation'>
}

/** One agent as the host tracks it, from the ask to its one end: a run's lead, or one delegation. */
export interface Assignment extends Plan {
  readonly run: RunState
  readonly actor: ActorRefFrom<typeof delegationMachine>
  readonly progress: Progress
  readonly queuedAt: number
  startedAt: number | null
  ref: AgentRef | null
  thread: number | null
  /** Whether a thread may still touch the slot. */
  held: boolean
  stop: { readonly cause: StopCause; readonly reason: string | null } | null
  /** How the agent itself says it ended, if its word counted. */
  report: EndReport | null
  /** Why it failed, if not by its own word. */
  fault: ErrorData | null
  status: TerminalStatus | null
  /** Its calls that run outside its thread. */
  readonly calls: Set<string>
  /** Process groups of its commands. */
  readonly groups: Set<number>
  cancelDeadline: () => void
  cancelGrace: () => void
}

/** One run as the host tracks it. */
export interface RunState {
  readonly id: string
  readonly threadId: string
  readonly startedAt: number
  readonly log: EventLog
  /** One that keeps nothing until the run has opened its own. */
  conversation: Conversation
  /** What the lead goes on from, until its thread has it. */
  recalled: Recalled
  /** Until the run has opened, those of the moment in which it was asked for. */
  settings: RunSettings
  readonly traceId: string
  readonly traceparent: string
  readonly deltas: boolean
  readonly states: boolean
  lead: Assignment | null
  /** Asked for before there was a lead that could be stopped. */
  stop: { readonly cause: StopCause; readonly reason: string | null } | null
  readonly tasks: Map<string, Assignment>
  /** Tasks that have not ended. */
  live: number
  result: RunResult | null
  readonly finish: (result: RunResult) => void
}

export const isLead = ({ taskId }: Assignment): boolean => taskId === null
