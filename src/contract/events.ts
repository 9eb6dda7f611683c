import type { Usage } from './messages.ts'
import type { Artifact, Partial, RunResult } from './result.ts'
import type { StopReason } from './status.ts'

export interface MessageView {
  readonly id: string
  readonly type: 'ai' | 'tool'
  readonly content: string
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly tool_call_id?: string
  readonly name?: string
  readonly status?: 'success' | 'error'
}

export type WarningCode =
  | 'token_budget'
  | 'loop'
  | 'delegation_trimmed'
  | 'delegation_limit'
  | 'summarization_unavailable'
  | 'tool_server'
  | 'skill_invalid'
  | 'retry'
  | 'thread'
  | 'config'

/** The effective limits of one agent. */
export interface AgentLimits {
  readonly max_turns: number
  readonly timeout_seconds: number
  readonly token_budget: number | null
}

interface TaskEnd {
  readonly task_id: string
  readonly stop_reason: StopReason | null
  readonly artifacts: readonly Artifact[]
  readonly usage: Usage | null
  readonly model_name: string | null
}

interface TaskBroken extends TaskEnd {
  readonly error: string
  readonly partial: Partial | null
}

/** The fields of each event beside the envelope, by type. */
export interface EventFields {
  run_started: {
    readonly model_name: string
    readonly limits: AgentLimits
    readonly trace_id: string
    readonly effective_policies: {
      readonly subagents: readonly string[]
      readonly skills: readonly string[] | null
      readonly tool_groups: readonly string[] | null
    }
  }
  message_delta: { readonly text: string; readonly message_id: string }
  message_discarded: { readonly message_id: string; readonly task_id?: string }
  message: { readonly message: MessageView; readonly truncated?: true }
  tool_started: {
    readonly tool_call_id: string
    readonly name: string
    readonly args: unknown
    readonly truncated?: true
  }
  tool_finished: {
    readonly tool_call_id: string
    readonly name: string
    readonly status: 'success' | 'error'
    readonly content: string
    readonly truncated?: true
  }
  task_queued: {
    readonly task_id: string
    readonly description: string
    readonly subagent_type: string
    readonly position: number
  }
  task_started: {
    readonly task_id: string
    readonly description: string
    readonly subagent_type: string
    readonly model_name: string
    readonly limits: AgentLimits
  }
  task_running: {
    readonly task_id: string
    readonly message: MessageView
    readonly message_index: number
    readonly progress: string
    readonly usage: Usage
    readonly model_name: string
    readonly truncated?: true
  }
  task_completed: TaskEnd & { readonly result: string }
  task_failed: TaskBroken
  task_cancelled: TaskBroken
  task_timed_out: TaskBroken
  task_delta: { readonly task_id: string; readonly text: string; readonly message_id: string }
  permission_requested: {
    readonly request_id: string
    readonly agent: string
    readonly title: string
    readonly options: readonly { readonly id: string; readonly name: string }[]
    readonly expires_at: number
  }
  warning: { readonly code: WarningCode; readonly message: string; readonly task_id?: string }
  state: { readonly agent: string; readonly value: unknown }
  gap: Record<never, never>
  run_finished: { readonly result: RunResult }
}

export type EventType = keyof EventFields

interface EventEnvelope {
  readonly run_id: string
  readonly thread_id: string
  readonly seq: number
  /** Present where one event stands for several: `seq_from`…`seq`. */
  readonly seq_from?: number
  /** Milliseconds since the epoch. */
  readonly time: number
}

export type EventOf<T extends EventType> = T extends EventType
  ? Readonly<{ type: T } & EventEnvelope & EventFields[T]>
  : never
export type RunEvent = EventOf<EventType>
