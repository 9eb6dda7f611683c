import { createWaiting } from './tool-processes/waiting.ts'
import type { Assignment } from './tracked.ts'

/** Commands of one run that may wait. */
const WAITING_PER_RUN = 1000

/**
 * How many commands run at once, so that a thousand agents do not start a thousand shells. Who waits is served in turn
 * between runs.
 */
export interface CommandPlaces {
  /** Calls `given` once, maybe at once: with false when too many of its run wait already. Never after `leave` or `end`. */
  ask(key: string, assignment: Assignment, given: (has: boolean) => void): void
  leave(key: string): void
  /** Takes back all that an ended agent has, and all that it waits for. */
  end(assignment: Assignment): void
  stats(): { readonly running: number; readonly waiting: number }
}

interface Asked {
  readonly key: string
  given(has: boolean): void
}

export const createCommandPlaces = (count: number): CommandPlaces => {
  const running = new Set<string>()
  const waiting = createWaiting<Asked>(WAITING_PER_RUN)
  const keysOf = new Map<Assignment, Set<string>>()
  const ownerOf = new Map<string, Assignment>()

  const note = (key: string, assignment: Assignment): void => {
    ownerOf.set(key, assignment)
    keysOf.set(assignment, (keysOf.get(assignment) ?? new Set()).add(key))
  }
  const forget = (key: string): void => {
    const assignment = ownerOf.get(key)
    if (assignment === undefined) return
    ownerOf.delete(key)
    const keys = keysOf.get(assignment)
    keys?.delete(key)
    if (keys?.size === 0) keysOf.delete(assignment)
    waiting.remove(key)
    running.delete(key)
  }
  const pump = (): void => {
    while (running.size < count) {
      const next = waiting.take()
      if (next === undefined) return
      running.add(next.key)
      next.given(true)
    }
  }

  return {
    ask(key, assignment, given) {
      if (!waiting.add(key, assignment.run.id, { key, given })) {
        given(false)
        return
      }
      note(key, assignment)
      pump()
    },
    leave(key) {
      forget(key)
      pump()
    },
    end(assignment) {
      for (const key of keysOf.get(assignment) ?? []) forget(key)
      pump()
    },
    stats: () => ({ running: running.size, waiting: waiting.size }),
  }
}
