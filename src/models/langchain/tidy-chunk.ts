import { isRecord } from '../../contract/is-record.ts'
import type { Usage } from '../../contract/messages.ts'
import { textOfContent } from '../content-text.ts'
import { readUsage } from '../usage.ts'
import type { WireChoice, WireChunk, WireMessage, WireToolCall } from '../wire.ts'

/**
 * Writes each chunk of one answer as OpenAI itself would send it, with nothing lost: a role in every delta, since a package
 * that misses it drops the delta; text as text; arguments as JSON text; usage in one spelling. A refusal, for which such a
 * package has no place, becomes text of an answer that ends as refused.
 */
export const createTidier = (): ((chunk: WireChunk) => object) => {
  let isRefusal = false
  return ({ id, choices, usage }) => {
    const choice = choices?.[0]
    const counted = readUsage(choice?.usage ?? usage)
    const sent = choice?.delta ?? choice?.message ?? {}
    isRefusal ||= textOf(sent.refusal) !== ''
    return {
      id,
      object: 'chat.completion.chunk',
      choices: choice ? [{ index: 0, delta: tidyDelta(sent), finish_reason: tidyFinish(choice, isRefusal) }] : [],
      ...(counted && { usage: tidyUsage(counted) }),
    }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const tidyFinish = ({ finish_reason: reason }: WireChoice, isRefusal: boolean): string | null =>
  isRefusal ? 'refusal' : textOf(reason) || null

const tidyUsage = ({ input_tokens, output_tokens, total_tokens }: Usage): object => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens,
})

const tidyDelta = ({ content, tool_calls, refusal, reasoning_content }: WireMessage): object => ({
  role: 'assistant',
  content: textOfContent(content) + textOf(refusal),
  ...(Array.isArray(tool_calls) && { tool_calls: tool_calls.filter(isRecord).map(tidyCall) }),
  ...(typeof reasoning_content === 'string' && { reasoning_content }),
})

const tidyCall = ({ index, id, function: fn }: WireToolCall): object => {
  const args = fn?.arguments ?? undefined
  const text = args === undefined || typeof args === 'string' ? args : JSON.stringify(args)
  return { index, id, type: 'function', function: { name: fn?.name, arguments: text } }
}
