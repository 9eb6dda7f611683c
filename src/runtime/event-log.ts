import type { EventFields, EventOf, EventType, RunEvent } from '../contract/events.ts'
import { LOG_BYTES_MAX, SUBSCRIBER_BYTES_MAX } from '../contract/limits.ts'
import { JOINABLE, joinFields } from './join-events.ts'

/** One event, or several that were joined. `fields` is JSON text as long as nobody needs the object. */
interface Entry {
  readonly type: EventType
  readonly from: number
  readonly to: number
  readonly time: number
  readonly fields: object | string
  readonly bytes: number
}

/** A reader's place: the number of the next event it wants. */
export interface Cursor {
  next: number
  /** Called when there is something new to read. */
  wake: () => void
}

/**
 * The bounded log of one run. Readers keep a place in it and no copies, so one that never reads costs nothing. Over the
 * readers' bound older deltas are joined; over the log's own bound the oldest events go, but never a start or an end.
 */
export interface EventLog {
  append<T extends EventType>(type: T, fields: EventFields[T]): void
  /** The same with fields that are JSON text already. */
  appendText(type: EventType, fields: string): void
  /** The next event for this reader, or `undefined` when it has read all there is. Moves the cursor. */
  read(cursor: Cursor): RunEvent | undefined
  attach(cursor: Cursor): void
  detach(cursor: Cursor): void
  readonly closed: boolean
  /** Nothing more will come; wakes every reader. */
  close(): void
}

const KEPT: ReadonlySet<EventType> = new Set<EventType>([
  'run_started',
  'task_queued',
  'task_started',
  'task_completed',
  'task_failed',
  'task_cancelled',
  'task_timed_out',
  'run_finished',
])

/** What an entry without its fields takes. */
const ENTRY_BYTES = 100

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  for (const part of Object.values(value)) bytes += sizeOf(part)
  return bytes
}

const fieldsOf = ({ fields }: Entry): object => (typeof fields === 'string' ? JSON.parse(fields) : fields)

export const createEventLog = (runId: string, threadId: string, now: () => number): EventLog => {
  let entries: Entry[] = []
  let seq = 0
  let bytes = 0
  let joinAt = SUBSCRIBER_BYTES_MAX
  let closed = false
  const cursors = new Set<Cursor>()

  const eventOf = (entry: Entry): RunEvent => {
    const { type, from, to, time } = entry
    const envelope = { type, run_id: runId, thread_id: threadId, seq: to, ...(from < to && { seq_from: from }), time }
    return { ...envelope, ...fieldsOf(entry) } as RunEvent
  }

  const push = (type: EventType, fields: object | string, size: number): void => {
    if (closed) return
    seq++
    entries.push({ type, from: seq, to: seq, time: now(), fields, bytes: ENTRY_BYTES + size })
    bytes += ENTRY_BYTES + size
    if (bytes > joinAt) join()
    if (bytes > LOG_BYTES_MAX) drop()
    for (const cursor of cursors) cursor.wake()
  }

  const joinTwo = (a: Entry, b: Entry): Entry | undefined => {
    if (a.type !== b.type || !JOINABLE.has(a.type)) return undefined
    const fields = joinFields(fieldsOf(a), fieldsOf(b))
    return fields && { type: b.type, from: a.from, to: b.to, time: b.time, fields, bytes: ENTRY_BYTES + sizeOf(fields) }
  }

  /** Joins neighbours among the older entries, but never across a place where a reader stands. */
  const join = (): void => {
    const places = new Set([...cursors].map(({ next }) => next))
    let recent = 0
    let edge = entries.length
    while (edge > 0 && recent < SUBSCRIBER_BYTES_MAX / 2) recent += entries[--edge]?.bytes ?? 0
    const kept: Entry[] = []
    for (const [index, entry] of entries.entries()) {
      const last = kept.at(-1)
      const both = last && index < edge && !places.has(entry.from) ? joinTwo(last, entry) : undefined
      if (both) kept[kept.length - 1] = both
      else kept.push(entry)
    }
    entries = kept
    bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
    joinAt = Math.max(SUBSCRIBER_BYTES_MAX, bytes * 1.25)
  }

  const drop = (): void => {
    const goal = LOG_BYTES_MAX * 0.75
    entries = entries.filter((entry) => {
      if (bytes <= goal || KEPT.has(entry.type)) return true
      bytes -= entry.bytes
      return false
    })
  }

  /** Index of the first entry that reaches `next`. */
  const find = (next: number): number => {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle]?.to ?? 0) < next) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    append: (type, fields) => push(type, fields, sizeOf(fields)),
    appendText: (type, fields) => push(type, fields, fields.length),
    read(cursor) {
      const entry = entries[find(cursor.next)]
      if (!entry) return undefined
      if (entry.from > cursor.next) {
        const gap = { run_id: runId, thread_id: threadId, seq: entry.from - 1, seq_from: cursor.next, time: entry.time }
        cursor.next = entry.from
        return { type: 'gap', ...gap } satisfies EventOf<'gap'>
      }
      cursor.next = entry.to + 1
      return eventOf(entry)
    },
    attach: (cursor) => void cursors.add(cursor),
    detach: (cursor) => void cursors.delete(cursor),
    get closed() {
      return closed
    },
    close() {
      closed = true
      for (const cursor of cursors) cursor.wake()
    },
  }
}
