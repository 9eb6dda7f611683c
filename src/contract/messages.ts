/** What a model call cost, as the provider counted it. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
  /** Present when the provider sent no usage and the numbers are Troupe's own estimate. */
  readonly estimated?: true
}

/** A model's request to run a tool. `args` is the parsed object; `invalid` says why the arguments could not be read. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly invalid?: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

/** What a model thought before it answered, under the name its provider gives it. Shown to nobody but that provider. */
export interface Reasoning {
  readonly field: 'reasoning_content' | 'reasoning'
  readonly text: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly id: string
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
  /** Kept only where it goes back. */
  readonly reasoning?: Reasoning
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly id: string
  readonly toolCallId: string
  readonly name: string
  readonly content: string
  readonly status: 'success' | 'error'
  /** Structured facts beside the text, such as `subagent_status`; never sent to a model. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** One entry of a transcript. The system prompt lives outside the transcript. */
export type Message = UserMessage | AssistantMessage | ToolMessage

export const NO_USAGE: Usage = Object.freeze({ input_tokens: 0, output_tokens: 0, total_tokens: 0 })

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
  ...((a.estimated ?? b.estimated) && { estimated: true as const }),
})
