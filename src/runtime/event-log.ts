import type { EventFields, EventOf, EventType, RunEvent } from '../contract/events.ts'
import { LOG_BYTES_MAX, SUBSCRIBER_BYTES_MAX } from '../contract/limits.ts'
import { joined } from './join-events.ts'

interface Entry {
  readonly event: RunEvent
  readonly from: number
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

/** What an event without its texts takes. */
const EVENT_BYTES = 200

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  for (const part of Object.values(value)) bytes += sizeOf(part)
  return bytes
}

export const createEventLog = (runId: string, threadId: string, now: () => number): EventLog => {
  let entries: Entry[] = []
  let seq = 0
  let bytes = 0
  let closed = false
  const cursors = new Set<Cursor>()

  const total = (): number => entries.reduce((sum, entry) => sum + entry.bytes, 0)

  /** Joins neighbours among the older entries, but never across a place where a reader stands. */
  const join = (): void => {
    const places = new Set([...cursors].map(({ next }) => next))
    let recent = 0
    let edge = entries.length
    while (edge > 0 && recent < SUBSCRIBER_BYTES_MAX / 2) recent += entries[--edge]?.bytes ?? 0
    const kept: Entry[] = []
    for (const [index, entry] of entries.entries()) {
      const last = kept.at(-1)
      const event = last && index < edge && !places.has(entry.from) ? joined(last.event, entry.event) : undefined
      if (last && event) kept[kept.length - 1] = { event, from: last.from, bytes: EVENT_BYTES + sizeOf(event) }
      else kept.push(entry)
    }
    entries = kept
    bytes = total()
  }

  const drop = (): void => {
    const goal = LOG_BYTES_MAX * 0.75
    entries = entries.filter((entry) => {
      if (bytes <= goal || KEPT.has(entry.event.type)) return true
      bytes -= entry.bytes
      return false
    })
  }

  let joinAt = SUBSCRIBER_BYTES_MAX
  const shrink = (): void => {
    if (bytes > joinAt) {
      join()
      joinAt = Math.max(SUBSCRIBER_BYTES_MAX, bytes * 1.25)
    }
    if (bytes > LOG_BYTES_MAX) drop()
  }

  /** Index of the first entry that reaches `next`. */
  const find = (next: number): number => {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle]?.event.seq ?? 0) < next) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    append(type, fields) {
      if (closed) return
      seq++
      const event = { type, run_id: runId, thread_id: threadId, seq, time: now(), ...fields } as unknown as RunEvent
      const size = EVENT_BYTES + sizeOf(fields)
      entries.push({ event, from: seq, bytes: size })
      bytes += size
      if (bytes > SUBSCRIBER_BYTES_MAX) shrink()
      for (const cursor of cursors) cursor.wake()
    },
    read(cursor) {
      const entry = entries[find(cursor.next)]
      if (!entry) return undefined
      if (entry.from > cursor.next) {
        const gap = { run_id: runId, thread_id: threadId, seq: entry.from - 1, seq_from: cursor.next, time: entry.event.time }
        cursor.next = entry.from
        return { type: 'gap', ...gap } satisfies EventOf<'gap'>
      }
      cursor.next = entry.event.seq + 1
      return entry.event
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
