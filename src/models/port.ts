import type { ErrorData } from '../contract/errors.ts'
import type { Message, Reasoning, ToolCall, Usage } from '../contract/messages.ts'
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
  /** What the model says in place of an answer that it will not give; `''` if it gives one. */
  readonly refusal: string
  readonly reasoning: Reasoning | null
  readonly usage: Usage | null
  /**
   * Why this is not the whole answer although the call succeeded: a filter, a refusal, the output limit. What the model
   * had said by then is in `text`. `null`: nothing is missing.
   */
  readonly incomplete: ErrorData | null
}

/** A call that brought no reply. */
export interface ModelFailure extends ErrorData {
  /** Whether the same request may succeed when it is sent again. */
  readonly retryable: boolean
  /** HTTP status, also where it came inside a stream that had begun with 200. */
  readonly status: number | null
  /** How long the provider asks to wait, if it does. */
  readonly retryAfterMs: number | null
}

/**
 * Where the outcome of one request goes: any number of `text`, then exactly one of `done` and `failed`, unless aborted.
 * It hears nothing before the caller holds the abort.
 */
export interface ModelSink {
  text(delta: string): void
  done(reply: ModelReply): void
  failed(failure: ModelFailure): void
}

/**
 * Sends one request and streams the answer into the sink. Returns the abort: it closes the socket, and after it the
 * sink hears nothing more. Callbacks and not promises, since this runs once a turn of every agent.
 */
export type StreamModel = (request: ModelRequest, sink: ModelSink) => () => void

/** What an agent asks of its models: a request that is sent as often as it takes. */
export interface ModelCall extends ModelRequest {
  /** Tried in order when `model` fails. */
  readonly fallbacks: readonly ModelSettings[]
  /** Milliseconds since the epoch; no wait reaches beyond it. */
  readonly deadlineAt: number
}

/** Another attempt is about to be made. */
export interface Retry {
  /** What failed, and what follows, in words. */
  readonly message: string
}

export interface CallSink extends Omit<ModelSink, 'done'> {
  /** `model`: the one that answered, which is a fallback where those before it failed. */
  done(reply: ModelReply, model: ModelSettings): void
  /** A request failed and another follows. Text heard so far does not count. */
  retrying(retry: Retry): void
  /** Asked after each wait: whether the agent may still send anything. */
  mayStart(): boolean
}

/** Makes one call, through every retry and fallback. The sink hears the outcome as from one request. */
export type CallModel = (call: ModelCall, sink: CallSink) => () => void
