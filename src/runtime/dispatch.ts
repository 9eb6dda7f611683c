import { BATCH_MAX } from '../contract/limits.ts'
import type { Assignment } from './tracked.ts'

/** Gathers what one tick gives to one thread and hands it over in batches. */
export interface Dispatch {
  add(thread: number, assignment: Assignment): void
  /** What was meant for a thread that is gone will not be handed over. */
  forget(thread: number): void
}

export const createDispatch = (send: (thread: number, batch: readonly Assignment[]) => void): Dispatch => {
  const pending = new Map<number, Assignment[]>()
  let scheduled = false

  // One batch per thread and turn of the loop: a thousand starts at once must not hold up the host.
  const flush = (): void => {
    scheduled = false
    for (const [thread, assignments] of pending) {
      const batch = assignments.splice(0, BATCH_MAX)
      if (assignments.length === 0) pending.delete(thread)
      send(thread, batch)
    }
    if (pending.size > 0) {
      scheduled = true
      setImmediate(flush)
    }
  }

  return {
    add(thread, assignment) {
      const assignments = pending.get(thread)
      if (assignments) assignments.push(assignment)
      else pending.set(thread, [assignment])
      if (scheduled) return
      scheduled = true
      queueMicrotask(flush)
    },
    forget: (thread) => void pending.delete(thread),
  }
}
