/** The longest wait a timer can hold; Node fires a longer one at once. */
const TIMER_MAX = 2 ** 31 - 1

/** Calls once after `ms`, never early however long the wait, and returns how to call it off. */
export const after = (ms: number, call: () => void, unref = false): (() => void) => {
  let timer: NodeJS.Timeout
  const wait = (left: number): void => {
    timer = left > TIMER_MAX ? setTimeout(wait, TIMER_MAX, left - TIMER_MAX) : setTimeout(call, left)
    if (unref) timer.unref()
  }
  wait(ms)
  return () => clearTimeout(timer)
}
