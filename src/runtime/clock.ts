import { after } from '../contract/after.ts'

/** Time, injected so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls once after `ms`; returns the cancel. Never early, however long the wait. */
  after(ms: number, call: () => void): () => void
  /** Calls every `ms`; returns the cancel. */
  every(ms: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after,
  every(ms, call) {
    const timer = setInterval(call, ms)
    return () => clearInterval(timer)
  },
}
