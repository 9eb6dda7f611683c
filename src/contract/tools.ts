/**
 * Where a tool runs: `worker` on the agent's thread (trusted code that only waits), `isolated` in a process of its own
 * that can be killed, `host` on the embedder's thread.
 */
export type Placement = 'worker' | 'isolated' | 'host'

export type JsonSchema = Readonly<Record<string, unknown>>

/** What a model is told of a tool, and where it runs. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly placement: Placement
  /** Milliseconds one call may take; then abort, and after the grace time kill. `null`: the tool has limits of its own. */
  readonly timeoutMs: number | null
  readonly group: string | null
  /** `null` for built-ins and host tools. */
  readonly module: ToolModule | null
}

/** Where something of the user's lives: a tool, or a LangChain chat model. */
export interface ToolModule {
  /** File URL of the module. */
  readonly url: string
  readonly export: string
}

/** What one call came to. A failed call's content begins with `Error`, except where the contract says otherwise. */
export interface ToolOutcome {
  readonly status: 'success' | 'error'
  readonly content: string
  /** Virtual paths the call wrote. */
  readonly files?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A folder of the machine seen at a virtual path. */
export interface Mount {
  readonly host: string
  /** Absolute virtual path, such as `/mnt/project`. */
  readonly path: string
  readonly writable: boolean
  /** Glob patterns, relative to the mount, of what stays hidden. */
  readonly hidden: readonly string[]
}

/** Who calls: what a user's tool sees as `configurable`. `workspace` is a folder of the machine. */
export interface Caller {
  readonly thread_id: string
  readonly run_id: string
  readonly task_id: string | null
  readonly agent: string
  readonly workspace: string
}
