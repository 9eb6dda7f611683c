import type { AssistantMessage, Message, ToolCall } from '../contract/messages.ts'
import { jsonText } from './json-text.ts'
import type { Measured } from './measured.ts'

interface Written {
  readonly withReasoning: boolean
  /** The messages that `text` holds, to notice when a transcript did more than grow. */
  readonly messages: Message[]
  text: string
  bytes: number
}

/** Below this, keeping gains too little for what it costs: thousands of young agents may live at once. */
const KEPT_FROM = 8

const transcripts = new WeakMap<readonly Message[], Written>()

/**
 * The messages of a transcript as JSON, joined by commas. A transcript grows by a turn and is sent whole each time, so
 * of a long one what earlier requests have written is kept: writing it anew is the largest cost of a long conversation.
 */
export const transcriptText = (messages: readonly Message[], withReasoning: boolean): Measured => {
  const written = continued(messages, withReasoning)
  for (let i = written.messages.length; i < messages.length; i++) {
    const message = messages[i]
    if (message === undefined) break
    written.messages.push(message)
    const text = messageText(message, withReasoning)
    if (text !== null) add(written, text)
  }
  return written
}

const add = (written: Written, text: string): void => {
  const separator = written.text === '' ? '' : ','
  written.text += separator + text
  written.bytes += separator.length + Buffer.byteLength(text)
}

const continued = (messages: readonly Message[], withReasoning: boolean): Written => {
  const known = transcripts.get(messages)
  const isKnown = known?.withReasoning === withReasoning && known.messages.every((one, i) => one === messages[i])
  if (known && isKnown) return known
  const written = { withReasoning, messages: [], text: '', bytes: 0 }
  if (messages.length >= KEPT_FROM) transcripts.set(messages, written)
  return written
}

const messageText = (message: Message, withReasoning: boolean): string | null => {
  if (message.role === 'user') return jsonText({ role: 'user', content: message.content })
  if (message.role === 'tool')
    return jsonText({ role: 'tool', tool_call_id: message.toolCallId, content: message.content })
  if (message.toolCalls.length > 0) return jsonText(callTurn(message, withReasoning))
  // Providers refuse an assistant message that holds neither text nor calls.
  return message.content.trim() === '' ? null : jsonText({ role: 'assistant', content: message.content })
}

const callTurn = ({ content, toolCalls, reasoning }: AssistantMessage, withReasoning: boolean): object => ({
  role: 'assistant',
  content: content.trim() === '' ? null : content,
  ...(withReasoning && reasoning && { [reasoning.field]: reasoning.text }),
  tool_calls: toolCalls.map(wireCall),
})

const wireCall = ({ id, name, args, invalid }: ToolCall): object => ({
  id,
  type: 'function',
  // Arguments that could not be read were answered with an error; sent back as they came, a provider would refuse all.
  function: { name, arguments: invalid === undefined ? jsonText(args) : '{}' },
})
