/** A tool call of a scripted reply. `args` that is a string is sent as it is, so that it may be broken. */
export interface ScriptedCall {
  /** Left out: `call_1`, `call_2`, ... by place in the reply. */
  readonly id?: string
  readonly name: string
  readonly args: unknown
}

/** What a scripted model answers. Everything may be left out: `{}` is an empty answer with finish reason `stop`. */
export interface ScriptedReply {
  readonly text?: string
  readonly toolCalls?: readonly ScriptedCall[]
  /** Left out: `tool_calls` where there are any, else `stop`. */
  readonly finishReason?: string
  /** Left out: 100 in, 10 out. `null`: the provider counts nothing. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  /** HTTP status; any but 200 is answered with `body` alone. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON body instead of an answer, for errors. */
  readonly body?: unknown
  /** Milliseconds before the first byte. */
  readonly delayMs?: number
  /** Milliseconds between two chunks of the stream. */
  readonly chunkMs?: number
  /** How many pieces the text, and the arguments of each call, are cut into. Left out: 1. */
  readonly chunks?: number
  /** Sends so many chunks and then nothing more; 0 sends not even the headers. */
  readonly stallAfterChunks?: number
  /** Sends so many chunks and then resets the connection. */
  readonly resetAfterChunks?: number
  /** The body byte for byte, instead of an answer; of several, each is sent on its own. */
  readonly raw?: string | Uint8Array | readonly (string | Uint8Array)[]
}

/** An answer of text alone. */
export const say = (text: string): ScriptedReply => ({ text })

/** An answer that calls tools, all at once. */
export const callTools = (...toolCalls: readonly ScriptedCall[]): ScriptedReply => ({ toolCalls })

/** One tool call, for `callTools`. */
export const call = (name: string, args: unknown = {}, id?: string): ScriptedCall =>
  id === undefined ? { name, args } : { id, name, args }
