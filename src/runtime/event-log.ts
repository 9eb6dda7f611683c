import type { EventFields, EventType, RunEvent } from '../contract/events.ts'
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

const joinTwo = (a: Entry, b: Entry): Entry | undefined => {
  if (a.type !== b.type || !JOINABLE.has(a.type)) return undefined
  const fields = joinFields(fieldsOf(a), fieldsOf(b))
  return fields && { ...b, from: a.from, fields, bytes: ENTRY_BYTES + sizeOf(fields) }
}

/** Index of the first of the latest entries, which stay as they are. */
const recentFrom = (entries: readonly Entry[]): number => {
  let bytes = 0
  let index = entries.length
  while (index > 0 && bytes < SUBSCRIBER_BYTES_MAX / 2) bytes += entries[--index]?.bytes ?? 0
  return index
}

/** Joins neighbours among the older entries, but never across a place where a reader stands. */
const joinOlder = (entries: readonly Entry[], cursors: Iterable<Cursor>): Entry[] => {
  const places = new Set([...cursors].map(({ next }) => next))
  const edge = recentFrom(entries)
  const kept: Entry[] = []
  for (const [index, entry] of entries.entries()) {
    const last = kept.at(-1)
    const mayJoin = last !== undefined && index < edge && !places.has(entry.from)
    const both = mayJoin ? joinTwo(last, entry) : undefined
    if (both) kept[kept.length - 1] = both
    else kept.push(entry)
  }
  return kept
}

/** Drops the oldest entries until `bytes` are saved, but never a start or an end. */
const dropOldest = (entries: readonly Entry[], bytes: number): Entry[] => {
  let left = bytes
  return entries.filter((entry) => {
    if (left <= 0 || KEPT.has(entry.type)) return true
    left -= entry.bytes
    return false
  })
}

/** Index of the first entry that reaches event number `next`. */
const indexOf = (entries: readonly Entry[], next: number): number => {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.to ?? 0) < next) low = middle + 1
    else high = middle
  }
  return low
}

/** V8 keeps text in two bytes a character as soon as one of them needs it. */
const bytesOfText = (text: string): number => (Buffer.byteLength(text) === text.length ? text.length : text.length * 2)

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + entry.bytes, 0)

/** What every event of a run has beside its fields. */
const envelopesOf = (run_id: string, thread_id: string) => ({
  ofOne: (type: EventType, seq: number, time: number) => ({ type, run_id, thread_id, seq, time }),
  ofSeveral: (type: EventType, seq_from: number, seq: number, time: number) => ({
    type,
    run_id,
    thread_id,
    seq,
    seq_from,
    time,
  }),
})

export const createEventLog = (runId: string, threadId: string, now: () => number): EventLog => {
  let entries: Entry[] = []
  let seq = 0
  let bytes = 0
  let joinAt = SUBSCRIBER_BYTES_MAX
  let closed = false
  const cursors = new Set<Cursor>()
  const { ofOne, ofSeveral } = envelopesOf(runId, threadId)

  const shrink = (): void => {
    entries = joinOlder(entries, cursors)
    bytes = bytesOf(entries)
    if (bytes > LOG_BYTES_MAX) {
      entries = dropOldest(entries, bytes - LOG_BYTES_MAX * 0.75)
      bytes = bytesOf(entries)
    }
    // A log that is full of what cannot be joined must not be gone through again for every event.
    joinAt = Math.min(Math.max(SUBSCRIBER_BYTES_MAX, bytes * 1.25), Math.max(LOG_BYTES_MAX, bytes))
  }

  const push = (type: EventType, fields: object | string, size: number): void => {
    if (closed) return
    seq++
    // What is never dropped does not count, or one large result would leave no room for anything else.
    const counted = KEPT.has(type) ? 0 : ENTRY_BYTES + size
    entries.push({ type, from: seq, to: seq, time: now(), fields, bytes: counted })
    bytes += counted
    if (bytes > joinAt) shrink()
    for (const cursor of cursors) cursor.wake()
  }

  return {
    append: (type, fields) => push(type, fields, sizeOf(fields)),
    appendText: (type, fields) => push(type, fields, bytesOfText(fields)),
    read(cursor) {
      const entry = entries[indexOf(entries, cursor.next)]
      if (!entry) return undefined
      const { type, from, to, time } = entry
      if (from > cursor.next) {
        const gap = ofSeveral('gap', cursor.next, from - 1, time)
        cursor.next = from
        return gap as RunEvent
      }
      cursor.next = to + 1
      const envelope = from < to ? ofSeveral(type, from, to, time) : ofOne(type, to, time)
      // Not by spreading: that costs several times as much, and every event of every reader comes by here.
      return Object.assign(envelope, fieldsOf(entry)) as RunEvent
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
