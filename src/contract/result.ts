import type { ErrorData } from './errors.ts'
import type { Usage } from './messages.ts'
import type { StopReason, TerminalStatus } from './status.ts'

export type ArtifactType = 'markdown' | 'text' | 'code' | 'data' | 'image' | 'document' | 'archive' | 'other'

/** A file an agent left under `/mnt/user-data/outputs`; `path` is the virtual one. */
export interface Artifact {
  readonly path: string
  readonly type: ArtifactType
}

/** What is left of work that did not complete. */
export interface Partial {
  /** The last text that was not blank. */
  readonly text: string
  /** Virtual paths of the files written. */
  readonly files: readonly string[]
}

/** One subagent of a run, as it ended. */
export interface Delegation {
  readonly task_id: string
  readonly subagent_type: string
  readonly description: string
  readonly status: Exclude<TerminalStatus, 'needs_input'>
  readonly stop_reason: StopReason | null
  readonly model_name: string | null
  readonly usage: Usage | null
  /** The result, bounded to 2000 characters; the event has all of it. */
  readonly result: string | null
  readonly error: string | null
  readonly partial: Partial | null
  readonly artifacts: readonly Artifact[]
}

export interface RunResult {
  readonly run_id: string
  readonly thread_id: string
  readonly status: TerminalStatus
  readonly stop_reason: StopReason | null
  /** The answer; of a run that did not complete, the lead's last text that was not blank. */
  readonly text: string
  readonly error: ErrorData | null
  /** Of the whole tree, each model call counted once. */
  readonly usage: Usage
  /** The lead's turns. */
  readonly turns: number
  readonly delegations: readonly Delegation[]
}
