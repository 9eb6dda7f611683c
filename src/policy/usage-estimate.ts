import type { Message, Usage } from '../contract/messages.ts'
import type { ToolSpec } from '../contract/tools.ts'

/** Near enough for any language model, when nobody counts. */
export const CHARS_PER_TOKEN = 4

export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

/** Characters of a message as a provider reads it, near enough to count tokens by. */
export const charsOf = (message: Message): number => {
  let chars = message.content.length
  if (message.role !== 'assistant') return chars
  for (const { name, args } of message.toolCalls) chars += name.length + JSON.stringify(args).length
  return chars
}

/** The characters of a transcript that only grows, counted once each. */
export interface Measure {
  charsOf(messages: readonly Message[]): number
}

export const createMeasure = (): Measure => {
  let counted = 0
  let chars = 0
  return {
    charsOf(messages) {
      for (const message of messages.slice(counted)) chars += charsOf(message)
      counted = messages.length
      return chars
    },
  }
}

const known = new WeakMap<ToolSpec, number>()

const charsOfTool = (tool: ToolSpec): number => {
  const chars = known.get(tool) ?? tool.name.length + tool.description.length + JSON.stringify(tool.parameters).length
  known.set(tool, chars)
  return chars
}

/** What is sent with a call; `chars` are those of its messages. */
export interface Asked {
  readonly system: string
  readonly chars: number
  readonly tools: readonly ToolSpec[]
}

/** What a call costs by its length, where the provider counts nothing: so a budget acts all the same. */
export const estimateUsage = ({ system, chars, tools }: Asked, answer: Message): Usage => {
  const asked = tools.reduce((sum, tool) => sum + charsOfTool(tool), system.length + chars)
  const [input_tokens, output_tokens] = [tokensOf(asked), tokensOf(charsOf(answer))]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, estimated: true }
}
