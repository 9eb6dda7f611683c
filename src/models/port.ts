import type { ErrorData } from '../contract/errors.ts'
import type { Message, ToolCall, Usage } from '../contract/messages.ts'
import type { ModelSettings } from '../contract/settings.ts'
import type { ToolSpec } from '../contract/tools.ts'

export interface ModelRequest {
  readonly model: ModelSettings
  /** The one system message, built anew for each request. */
  readonly system: string
  /** Kept from earlier in the conversation: a user message before the transcript, escaped already. */
  readonly data?: string | null
  readonly messages: readonly Message[]
  /** Request-only text after the transcript, as a user message; never stored. */
  readonly note: string | null
  readonly tools: readonly ToolSpec[]
  /** The tools are shown and none may be called, for a provider that refuses a transcript with calls otherwise. */
  readonly toolChoice?: 'none'
  readonly traceparent: string
}

export interface ModelReply {
  readonly id: string
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** The provider's own word: `stop`, `tool_calls`, `length`, ... */
  readonly finishReason: string | null
  readonly usage: Usage | null
}

/**
 * Where the outcome of one call goes: any number of `text`, then exactly one of `done` and `failed`, unless aborted. It
 * hears nothing before the caller holds the abort.
 */
export interface ModelSink {
  text(delta: string): void
  done(reply: ModelReply): void
  failed(error: ErrorData): void
}

/**
 * Sends one request and streams the answer into the sink. Returns the abort: it closes the socket, and after it the
 * sink hears nothing more. Callbacks and not promises, since this runs once a turn of every agent.
 */
export type StreamModel = (request: ModelRequest, sink: ModelSink) => () => void
