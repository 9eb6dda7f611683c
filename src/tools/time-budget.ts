import { type Context, createContext, Script } from 'node:vm'

/** Time for synchronous work that may take for ever, such as a regular expression on a line. */
export interface TimeBudget {
  /**
   * Runs `work`. Throws `TimeSpent`, with the work stopped wherever it was, once all work so far has taken the whole budget;
   * then no more is begun.
   */
  spend(work: () => void): void
}

export class TimeSpent extends Error {}

// The error is one of the other context, so it is no instance of this one's `Error`.
const isTimeout = (thrown: unknown): boolean =>
  (thrown as { readonly code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const script = new Script('work()')
const room: { work: () => void } = { work: () => {} }
let context: Context | undefined

/** A script can be given a limit, which stops whatever it calls, also a regular expression; a function cannot. */
const runWithin = (work: () => void, timeout: number): void => {
  context ??= createContext(room)
  room.work = work
  try {
    script.runInContext(context, { timeout })
  } catch (thrown) {
    throw isTimeout(thrown) ? new TimeSpent() : thrown
  } finally {
    room.work = () => {}
  }
}

/** A budget of so many milliseconds of the clock. Setting up the watch over one stretch of work takes a tenth of one. */
export const timeBudget = (ms: number): TimeBudget => {
  let left = ms
  return {
    spend(work) {
      if (left < 1) throw new TimeSpent()
      const from = performance.now()
      try {
        runWithin(work, Math.ceil(left))
        left -= performance.now() - from
      } catch (thrown) {
        left = 0
        throw thrown
      }
    },
  }
}
