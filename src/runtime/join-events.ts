import type { EventOf, RunEvent } from '../contract/events.ts'
import { EVENT_TEXT_MAX } from '../contract/limits.ts'

type Delta = EventOf<'message_delta'> | EventOf<'task_delta'>

const isDelta = (event: RunEvent): event is Delta => event.type === 'message_delta' || event.type === 'task_delta'

const sameStream = (a: Delta, b: Delta): boolean =>
  a.type === b.type &&
  a.message_id === b.message_id &&
  (a.type === 'task_delta' ? a.task_id : '') === (b.type === 'task_delta' ? b.task_id : '')

/** One event in place of two neighbours: text is put together, of progress the newer stands. `undefined`: they stay two. */
export const joined = (a: RunEvent, b: RunEvent): RunEvent | undefined => {
  const from = a.seq_from ?? a.seq
  if (isDelta(a) && isDelta(b) && sameStream(a, b) && a.text.length + b.text.length <= EVENT_TEXT_MAX) {
    return { ...b, seq_from: from, text: a.text + b.text }
  }
  if (a.type === 'task_running' && b.type === 'task_running' && a.task_id === b.task_id) return { ...b, seq_from: from }
  return undefined
}
