/** Time, injected so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch; never goes back. */
  now(): number
  /** Calls once after `ms`, never early, however long the wait; returns the cancel. */
  after(ms: number, call: () => void): () => void
}

/** The longest wait a timer can hold; a longer one would fire at once. */
const TIMER_MAX = 2 ** 31 - 1

const origin = performance.timeOrigin

export const systemClock: Clock = {
  now: () => origin + performance.now(),
  after(ms, call) {
    let timer: NodeJS.Timeout
    const wait = (left: number): void => {
      timer = left > TIMER_MAX ? setTimeout(wait, TIMER_MAX, left - TIMER_MAX) : setTimeout(call, left)
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}
