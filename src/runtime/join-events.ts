import type { EventFields, EventType } from '../contract/events.ts'
import { EVENT_TEXT_MAX } from '../contract/limits.ts'

type Delta = EventFields['message_delta'] & { readonly task_id?: string }

const isProgress = (fields: object): fields is EventFields['task_running'] => 'progress' in fields
const isDelta = (fields: object): fields is Delta => 'text' in fields && 'message_id' in fields

export const JOINABLE: ReadonlySet<EventType> = new Set<EventType>(['message_delta', 'task_delta', 'task_running'])

/**
 * The fields of one event in place of two neighbours of one joinable type: text is put together, of progress the newer
 * stands. `undefined`: they stay two.
 */
export const joinFields = (a: object, b: object): object | undefined => {
  if (isProgress(a) && isProgress(b)) return a.task_id === b.task_id ? b : undefined
  if (!isDelta(a) || !isDelta(b) || a.message_id !== b.message_id || a.task_id !== b.task_id) return undefined
  const text = a.text + b.text
  return text.length <= EVENT_TEXT_MAX ? { ...b, text } : undefined
}
