/// <reference lib="esnext.disposable" preserve="true" />
import type { RunEvent } from './events.ts'
import type { Usage } from './messages.ts'
import type { RunResult } from './result.ts'

/** One structured log line. `fields` never holds a secret. */
export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

/** What Troupe needs of a LangChain tool; recognised by shape, never by class. */
export interface HostTool {
  readonly name: string
  readonly description?: string
  readonly schema?: unknown
  invoke(input: unknown, config?: unknown): Promise<unknown>
}

export interface RuntimeOptions {
  /** Path, URL, or the same tree as an object. Left out: `$TROUPE_CONFIG`, then `./config.yaml`, then the built-in defaults. */
  readonly config?: string | URL | object
  /** Root of all that Troupe writes. Left out: `$TROUPE_HOME`, then `./.troupe`. */
  readonly home?: string
  /** Where `$NAME` in the config is looked up. Left out: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** LangChain tools that must run on the host thread. */
  readonly hostTools?: readonly HostTool[]
  /** URL of the worker bundle, for embedders that bundle. */
  readonly workerUrl?: string | URL
  /** Troupe never writes to the host's stdout or stderr; this is where it speaks. */
  readonly log?: Log
}

export interface RunOptions {
  /** Conversation, `^[A-Za-z0-9_-]{1,64}$`. Left out: a new id. */
  readonly threadId?: string
  /** Cancels the run and everything under it. */
  readonly signal?: AbortSignal
  /** Name of an entry in `models`. Left out: the first one. */
  readonly model?: string
  /** A custom agent that leads instead of the default lead. */
  readonly agent?: string
  /** Whether `task` exists in this run. Default: true. */
  readonly subagentEnabled?: boolean
  /** Clamped to 1..64. Default: `subagents.max_concurrent`. */
  readonly maxConcurrentSubagents?: number
  /** Clamped to 1..50. Default: `subagents.max_total_per_run`. */
  readonly maxTotalSubagents?: number
  /** Extra events. */
  readonly include?: readonly ('state' | 'task_delta')[]
  /** 32 hex digits, sent as `traceparent` on every model request of the tree. Left out: a new one. */
  readonly traceId?: string
}

/** A run under way: iterate it for its events (leaving early cancels it), or only await `result`. */
export interface Run extends AsyncIterable<RunEvent>, AsyncDisposable {
  readonly id: string
  readonly threadId: string
  /** Never rejects for what an agent did. */
  readonly result: Promise<RunResult>
  cancel(reason?: string): void
  /** Stops one subagent; the lead is told and goes on. An unknown or ended task is left as it is. */
  cancelTask(taskId: string, reason?: string): void
  /** Replays from the run's bounded log, then follows; leaving cancels nothing. */
  watch(options?: { readonly from?: number }): AsyncIterable<RunEvent>
  /** Answers a `permission_requested`. */
  reply(requestId: string, decision: string): void
}

export interface RunInfo {
  readonly run_id: string
  readonly thread_id: string
  readonly status: 'running' | RunResult['status']
  /** Milliseconds since the epoch. */
  readonly started_at: number
}

export interface CatalogEntry {
  readonly name: string
  readonly description: string
  readonly source: 'builtin' | 'config' | 'managed' | 'agent'
  readonly enabled: boolean
  readonly available: boolean
  readonly unavailable_reason: string | null
  readonly conflict_with: string | null
  readonly model: string
  readonly tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  readonly skills: readonly string[] | null
  readonly max_turns: number
  readonly timeout_seconds: number
  readonly token_budget: number | null
  readonly overrides: readonly string[]
  readonly revision: number
  readonly system_prompt?: string
}

export interface TaskStats {
  readonly task_id: string
  readonly run_id: string
  readonly subagent_type: string
  readonly status: 'queued' | 'running' | 'stopping'
  readonly turns: number
  readonly usage: Usage
  readonly queued_ms: number
  readonly running_ms: number
  readonly last_tool: string | null
}

export interface RuntimeStats {
  readonly runs: { readonly active: number }
  readonly tasks: { readonly queued: number; readonly running: number; readonly list: readonly TaskStats[] }
  readonly threads: { readonly alive: number; readonly replaced: number }
  /** `waiting`: calls for which no process is free yet. */
  readonly tool_processes: { readonly alive: number; readonly replaced: number; readonly waiting: number }
  /** Commands of agents: `waiting` ones have no place yet. */
  readonly commands: { readonly running: number; readonly waiting: number }
}

export interface Runtime extends AsyncDisposable {
  /** Throws a `TroupeError` for `OPTIONS_INVALID` and `RUNTIME_CLOSED`, else never. */
  run(prompt: string, options?: RunOptions): Run
  runs(): readonly RunInfo[]
  getRun(id: string): Run | undefined
  subagents(options?: { readonly admin?: boolean }): Promise<readonly CatalogEntry[]>
  /** Read live from shared memory; asks no thread. */
  stats(): RuntimeStats
  /** Settles what still runs as cancelled, after `drainMs` (0) of patience. May be called again. */
  close(options?: { readonly drainMs?: number }): Promise<void>
}
