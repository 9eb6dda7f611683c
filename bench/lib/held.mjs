import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 120_000

/** Waits until so many subagents are in the middle of an answer. */
export async function inFlight(mock, wanted) {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const held = await mock.ask('held')
    if (held >= wanted) return
    if (performance.now() > deadline)
      throw new Error(`${held} of ${wanted} subagents in flight after ${PATIENCE_MS / 1000} s`)
    await sleep(20)
  }
}
