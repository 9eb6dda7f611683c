import type { ThreadEntry } from '../contract/conversation.ts'
import type { Message, ToolCall } from '../contract/messages.ts'

type Loose = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: Loose, ...keys: readonly string[]): boolean => keys.every((key) => isText(value[key]))

const isCall = (value: unknown): value is ToolCall =>
  isObject(value) && areTexts(value, 'id', 'name') && isObject(value['args'])

const isReasoning = (value: unknown): boolean =>
  value === undefined || (isObject(value) && areTexts(value, 'field', 'text'))

/** Whether a message that was read from a disk has the shape of one. */
const isMessage = (value: unknown): value is Message => {
  if (!isObject(value) || !isText(value['content'])) return false
  const { role, toolCalls, status } = value
  if (role === 'user') return true
  if (role === 'tool') {
    return areTexts(value, 'id', 'toolCallId', 'name') && (status === 'success' || status === 'error')
  }
  if (role !== 'assistant' || !isText(value['id']) || !isReasoning(value['reasoning'])) return false
  return Array.isArray(toolCalls) && toolCalls.every(isCall)
}

const isEntry = (value: unknown): value is ThreadEntry => {
  if (!isObject(value)) return false
  if ('message' in value) return isMessage(value['message'])
  return isText(value['summary']) && Array.isArray(value['messages']) && value['messages'].every(isMessage)
}

/** What a line of a conversation says; `null` where it is no JSON, or of a shape that no run writes. */
export const entryOf = (line: string): ThreadEntry | null => {
  try {
    const entry: unknown = JSON.parse(line)
    return isEntry(entry) ? entry : null
  } catch {
    return null
  }
}
