const LONGEST_MS = 2 ** 31 - 1

/** What the pool needs of time; a test brings its own. */
export interface Clock {
  /** Runs something once, later. Returns how to call it off. */
  after(ms: number, run: () => void): () => void
}

/** Timers that keep no process alive, and that are not early however long: Node fires what is past 24 days at once. */
export const systemClock: Clock = {
  after: (ms, run) => {
    let timer: NodeJS.Timeout
    const wait = (left: number): void => {
      const now = Math.min(left, LONGEST_MS)
      timer = setTimeout(() => (left > now ? wait(left - now) : run()), now)
      timer.unref()
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}
