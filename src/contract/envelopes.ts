import type { Recalled } from './conversation.ts'
import type { ErrorData } from './errors.ts'
import type { AgentGuards } from './guards.ts'
import type { Usage } from './messages.ts'
import type { ThreadSettings } from './settings.ts'
import type { StopReason, TerminalStatus } from './status.ts'
import type { Caller, ToolOutcome } from './tools.ts'

/** An agent's place in shared memory; `generation` tells it from those that had the slot before. */
export interface AgentRef {
  readonly slot: number
  readonly generation: number
}

/** Everything an agent thread needs to run one agent. Plain data, so that another executor can carry it. */
export interface AgentEnvelope extends AgentRef {
  /** The lead's place: its cancel word is the gate of the whole run. */
  readonly gate: AgentRef
  readonly role: 'lead' | 'subagent'
  readonly runId: string
  readonly threadId: string
  readonly taskId: string | null
  /** Agent name, such as `lead` or `general-purpose`. */
  readonly agent: string
  /** Revision of the thread settings that hold. */
  readonly settings: number
  readonly model: string
  readonly system: string
  readonly prompt: string
  /** What the lead goes on from; `null` for a subagent, which starts afresh and leaves nothing behind. */
  readonly conversation: Recalled | null
  /** Names of the tools this agent may call, in the order shown to the model. */
  readonly tools: readonly string[]
  readonly maxTurns: number
  readonly guards: AgentGuards
  /** When the host will end this agent, in milliseconds since the epoch: no wait may reach beyond it. */
  readonly deadlineAt: number
  readonly traceparent: string
  /** Stream the text of this agent as it is written. */
  readonly deltas: boolean
  /** Report each change of machine state. */
  readonly states: boolean
  /** `null` for an agent without the `task` tool. */
  readonly delegation: DelegationPolicy | null
}

/** What a lead may delegate, and how much at once. */
export interface DelegationPolicy {
  /** Subagents that run at once. */
  readonly maxConcurrent: number
  /** Subagents that one run may start. */
  readonly maxTotal: number
  /** What becomes of the `task` calls of one response beyond `maxConcurrent`. */
  readonly overflow: 'trim' | 'queue'
  /** Names of the agents that can be started. */
  readonly types: readonly string[]
  /** Agents that are there but cannot be started, and what asking for one is answered. */
  readonly unavailable: readonly { readonly name: string; readonly reason: string }[]
}

/** What the lead's `task` call asks of the host, its arguments already checked. */
export interface DelegationAsk {
  readonly callId: string
  readonly description: string
  readonly prompt: string
  readonly subagentType: string
  /** May only lower the configured cap. */
  readonly maxTurns: number | null
}

/** How an agent says it ended. */
export interface EndReport {
  readonly status: TerminalStatus
  readonly stopReason: StopReason | null
  /** The answer, or for any other end the last text that was not blank. */
  readonly text: string
  readonly error: ErrorData | null
  readonly usage: Usage | null
  readonly turns: number
  readonly files: readonly string[]
  /** Name of the model that answered last. */
  readonly modelName: string
  /** SHA-256 of the answer of a subagent that completed or asks, else `''`. */
  readonly resultSha256: string
}

/** What a delegation came to, as far as the lead is told of it. */
export interface TaskOutcome {
  readonly status: Exclude<TerminalStatus, 'needs_input'>
  readonly stopReason: StopReason | null
  readonly result: string
  readonly error: string
  /** The last text that was not blank, of work that did not complete. */
  readonly partialText: string
  readonly modelName: string | null
  readonly usage: Usage | null
  /** SHA-256 of the whole result as 64 lower-case hex digits, or `''`. */
  readonly resultSha256: string
  /** It ended before it had a place, so it does not count against the run's total. */
  readonly neverStarted?: true
}

/** Something of one agent on its way to the host, in the order it happened. */
export type AgentItem = { readonly slot: number; readonly generation: number; readonly time: number } & (
  | { readonly kind: 'delta'; readonly messageId: string; readonly text: string }
  /**
   * An event of the run, its fields as JSON text: the host keeps the text and parses it only for a reader. `says`: the
   * agent has said something in it, which is what is left of its work if it dies now.
   */
  | { readonly kind: 'event'; readonly type: AgentEventType; readonly fields: string; readonly says: boolean }
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'delegate'; readonly ask: DelegationAsk }
  /** A `ThreadEntry` as JSON text, for the runs to come. */
  | { readonly kind: 'remember'; readonly entry: string }
  | { readonly kind: 'end'; readonly report: EndReport }
)

/** The events that an agent thread writes whole. */
export type AgentEventType =
  | 'message'
  | 'message_discarded'
  | 'task_running'
  | 'tool_started'
  | 'tool_finished'
  | 'warning'
  | 'state'

/** A tool call that another place must run. `args` is JSON text, so the host passes it on without reading it. */
export interface RemoteCall {
  readonly callKey: number
  readonly slot: number
  readonly generation: number
  readonly tool: string
  readonly args: string
  readonly caller: Caller
  readonly settings: number
}

/** What a thread says of the process group of a command, which has the id of the shell that leads it. */
export interface GroupNews extends AgentRef {
  readonly pid: number
  /** `begun`: its shell waits to be watched; `led`: its shell has ended; `stop`: the whole group is to end. */
  readonly what: 'begun' | 'led' | 'stop'
}

/** Agent thread to host. */
export type ThreadMessage =
  | { readonly type: 'items'; readonly items: readonly AgentItem[] }
  | { readonly type: 'call'; readonly call: RemoteCall }
  | { readonly type: 'abort_call'; readonly callKey: number }
  | ({ readonly type: 'group' } & GroupNews)
  | { readonly type: 'retire'; readonly reason: string }
  | { readonly type: 'stray'; readonly reason: string }
  | { readonly type: 'said'; readonly text: string }

/** Host to agent thread. */
export type HostMessage =
  | {
      readonly type: 'delegated'
      readonly slot: number
      readonly generation: number
      readonly callId: string
      readonly outcome: TaskOutcome
    }
  | { readonly type: 'called'; readonly callKey: number; readonly outcome: ToolOutcome }
  /** The host watches this process group: its command may start. */
  | { readonly type: 'watched'; readonly pid: number }
  /** No agent will name this revision of the settings any more. */
  | { readonly type: 'forget'; readonly revision: number }
  | { readonly type: 'prewarm' }

/** A task of the thread pool: either the one that opens a thread, or a batch of agents to run there until all have let go. */
export type PoolTask =
  | {
      readonly type: 'open'
      readonly thread: number
      readonly slab: SharedArrayBuffer
      readonly port: import('node:worker_threads').MessagePort
    }
  | {
      readonly type: 'agents'
      readonly agents: readonly AgentEnvelope[]
      /** Revisions of the settings that this thread has not seen yet. They travel with the agents: two ports have no common order. */
      readonly settings: readonly ThreadSettings[]
    }
