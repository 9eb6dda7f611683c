import type { Message, ToolCall } from '../../contract/messages.ts'
import type { ToolSpec } from '../../contract/tools.ts'
import { jsonText } from '../json-text.ts'
import type { ModelRequest } from '../port.ts'

/** The messages of a request, in the plain form from which every LangChain chat model makes its own. */
export const toMessages = ({ system, data, messages, note }: ModelRequest): readonly object[] =>
  wellFormed([
    ...toText('system', system),
    ...toText('user', data),
    ...messages.map(toMessage),
    ...toText('user', note),
  ])

const toText = (role: 'system' | 'user', content: string | null | undefined): readonly object[] =>
  content?.trim() ? [{ role, content }] : []

const toMessage = (message: Message): object => {
  const { role, content } = message
  if (role === 'user') return { role, content }
  if (role === 'assistant') return { role, content, tool_calls: message.toolCalls.map(toToolCall) }
  const { toolCallId: tool_call_id, name, status } = message
  return { role, content, tool_call_id, name, status }
}

const toToolCall = ({ id, name, args, invalid }: ToolCall): object => ({
  type: 'tool_call',
  id,
  name,
  args: invalid === undefined ? args : {},
})

/** Tools in OpenAI's form, which every `bindTools` takes. */
export const toTools = (tools: readonly ToolSpec[]): readonly object[] =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }))

/** Half a character, as left by a cut in the wrong place, makes strict providers refuse the request. */
const wellFormed = (messages: readonly object[]): readonly object[] => {
  const plain = JSON.stringify(messages)
  const text = jsonText(messages)
  return text === plain ? messages : JSON.parse(text)
}
