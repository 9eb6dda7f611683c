import { after } from '../../contract/after.ts'

/** What the pool needs of time; a test brings its own. */
export interface Clock {
  /** Runs something once, later. Returns how to call it off. */
  after(ms: number, run: () => void): () => void
}

/** Timers that keep no process alive. */
export const systemClock: Clock = { after: (ms, run) => after(ms, run, true) }
