import { isRecord } from '../contract/is-record.ts'
import type { Usage } from '../contract/messages.ts'

const count = (value: unknown): number => (typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0)

/** One record from the spellings in use, or `null` where the provider counted nothing. */
export const readUsage = (sent: unknown): Usage | null => {
  if (!isRecord(sent)) return null
  const fields = sent as Readonly<Partial<Record<UsageField, unknown>>>
  // Anthropic's spelling counts cached tokens beside the input, OpenAI's and DeepSeek's inside it.
  const cached = count(fields.cache_read_input_tokens) + count(fields.cache_creation_input_tokens)
  const input = fields.prompt_tokens === undefined ? count(fields.input_tokens) + cached : count(fields.prompt_tokens)
  const output = count(fields.completion_tokens ?? fields.output_tokens)
  if (input + output === 0) return null
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: Math.max(count(fields.total_tokens), input + output),
  }
}

type UsageField =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'total_tokens'
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
