import type { Mount, ToolModule, ToolSpec } from './tools.ts'

/** A variable that the config names and the environment lacks. */
export interface UnsetVariable {
  readonly variable: string
  /** Dotted config path that names it. */
  readonly path: string
}

export interface ModelSettings {
  readonly name: string
  readonly model: string
  /** Where a LangChain chat model lives, or `null` for Troupe's own client. */
  readonly use: ToolModule | null
  /** `''` where a LangChain model knows its own. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly unset: UnsetVariable | null
  readonly maxRetries: number
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly streamIdleTimeoutMs: number
  readonly timeoutMs: number
  /** Whether reasoning goes back to the model that wrote it. */
  readonly reasoningReplay: 'auto' | boolean
  /** Names of the models to try next when this one fails. */
  readonly fallbacks: readonly string[]
}

/** How much of a tool's result a model is shown, and from where on the whole goes into a file. In characters. */
export interface OutputSettings {
  readonly enabled: boolean
  /** Results longer than this become a file; 0: none does. */
  readonly externalizeMinChars: number
  readonly previewHeadChars: number
  readonly previewTailChars: number
  /** Where no file can be written, results longer than this are cut. */
  readonly fallbackMaxChars: number
  readonly fallbackHeadChars: number
  readonly fallbackTailChars: number
  /** Folder below outputs. */
  readonly storageSubdir: string
  readonly exemptTools: readonly string[]
  /** Other lengths for a tool; 0: never a file. */
  readonly toolOverrides: Readonly<Record<string, number>>
}

/** How commands of agents run. */
export interface CommandSettings {
  /** All that they find in their environment. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** What every command of the runtime has in its environment, followed by what tells its agent from others. */
  readonly mark: string
  /** Values that no result may show. */
  readonly secrets: readonly string[]
  /** Second names for folders whose own names have characters that a shell takes for something else. */
  readonly aliases: readonly { readonly folder: string; readonly name: string }[]
}

/** What agent threads need to know. Sent once per thread and revision; agents name the revision they run under. */
export interface ThreadSettings {
  readonly revision: number
  readonly models: readonly ModelSettings[]
  /** Every tool of this revision by name; an agent may use those its envelope lists. */
  readonly tools: readonly ToolSpec[]
  readonly mounts: readonly Mount[]
  /** Folder that holds `threads/<thread_id>/user-data`. */
  readonly home: string
  readonly graceMs: number
  readonly output: OutputSettings
  /** `null`: agents may run no commands. */
  readonly commands: CommandSettings | null
}
