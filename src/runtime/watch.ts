import type { RunEvent } from '../contract/events.ts'
import type { Cursor, EventLog } from './event-log.ts'

/** Iterates a log from event number `from` until it closes. `left` is told when the reader leaves before that. */
export const watchLog = (log: EventLog, from: number, left: () => void = () => {}): AsyncIterable<RunEvent> => ({
  [Symbol.asyncIterator]() {
    const waiting: (() => void)[] = []
    let over = false
    const cursor: Cursor = {
      next: Math.max(1, from),
      wake: () => {
        for (const resume of waiting.splice(0)) resume()
      },
    }
    const end = (): IteratorReturnResult<undefined> => {
      over = true
      log.detach(cursor)
      cursor.wake()
      return { done: true, value: undefined }
    }
    log.attach(cursor)
    return {
      async next() {
        while (!over) {
          const event = log.read(cursor)
          if (event) return { done: false, value: event }
          if (log.closed) break
          await new Promise<void>((resolve) => waiting.push(resolve))
        }
        return end()
      },
      async return() {
        const early = !over && !log.closed
        end()
        if (early) left()
        return { done: true, value: undefined }
      },
    }
  },
})
