/**
 * What a chat-completions endpoint may send. Every field is `unknown`, since gateways leave out, rename and misuse any
 * of them; who reads one checks it.
 */
export interface WireToolCall {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

export interface WireMessage {
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
}

export interface WireChunk {
  readonly id?: unknown
  readonly object?: unknown
  readonly choices?: readonly (WireChoice | null)[] | null
  readonly usage?: unknown
  readonly error?: unknown
}

export interface WireChoice {
  /** In a stream. */
  readonly delta?: WireMessage | null
  /** In an answer sent whole. */
  readonly message?: WireMessage | null
  readonly finish_reason?: unknown
  readonly usage?: unknown
}
