/** A clock that stands still until it is told to move. */
export interface FakeClock {
  /** Milliseconds since the clock was made, plus its start. */
  now(): number
  /** Calls `fn` once the clock has moved on by `ms`. Returns what cancels that. */
  after(ms: number, fn: () => void): () => void
  /**
   * Moves the clock on and calls everything that falls due, in the order of its time and, at one time, in the order it
   * was asked for. What a callback asks for is called too if it falls due within the same move.
   */
  advance(ms: number): void
}

interface Waiting {
  readonly at: number
  readonly fn: () => void
}

/** A manual clock for tests of code that takes its time from outside. */
export const createFakeClock = (start = 0): FakeClock => {
  const waiting = new Set<Waiting>()
  let time = start

  const takeNext = (until: number): Waiting | undefined => {
    let next: Waiting | undefined
    // A set keeps the order of asking, so the first of several at one time wins.
    for (const entry of waiting) if (entry.at <= until && (next === undefined || entry.at < next.at)) next = entry
    if (next !== undefined) waiting.delete(next)
    return next
  }

  return {
    now: () => time,
    after: (ms, fn) => {
      const entry = { at: time + Math.max(0, ms), fn }
      waiting.add(entry)
      return () => void waiting.delete(entry)
    },
    advance: (ms) => {
      const until = time + ms
      for (let next = takeNext(until); next !== undefined; next = takeNext(until)) {
        time = Math.max(time, next.at)
        next.fn()
      }
      time = until
    },
  }
}
