import type { Message, Usage } from '../contract/messages.ts'
import type { ModelReply, ModelRequest } from './port.ts'

/** Bytes of UTF-8 that make one token, about: so that a script of three bytes a character costs more for each. */
const TOKEN_BYTES = 4
/** What a message or a call costs beside its text. */
const FRAME_TOKENS = 4

/** What a call has cost where the provider does not say, so that a budget acts all the same. */
export const estimateUsage = ({ system, messages, note }: ModelRequest, reply: ModelReply): Usage => {
  const input = messages.reduce((sum, message) => sum + tokensOf(message), tokens(system) + tokens(note ?? ''))
  const output = tokens(reply.text) + tokens(reply.reasoning?.text ?? '') + tokensOfCalls(reply.toolCalls)
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, estimated: true }
}

const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES)

const tokensOf = (message: Message): number =>
  FRAME_TOKENS + tokens(message.content) + (message.role === 'assistant' ? tokensOfCalls(message.toolCalls) : 0)

const tokensOfCalls = (calls: ModelReply['toolCalls']): number =>
  calls.reduce((sum, { name, args }) => sum + FRAME_TOKENS + tokens(name) + tokens(JSON.stringify(args)), 0)
