import type { Assignment, RunState } from './tracked.ts'

/**
 * Subagents that wait for a place. A run has `maxConcurrent` places of its own, and no waiting for one of those holds
 * up another run; for the places on threads runs take turns, so that one with many keeps no other waiting.
 */
export interface TaskQueue {
  /** Whether a task may start at once: its run has a place, and nobody waits for a thread before it. */
  mayStart(task: Assignment): boolean
  /** Returns how many wait with it for the same kind of place. */
  push(task: Assignment): number
  remove(task: Assignment): void
  /** Whose turn it is. */
  next(): Assignment | undefined
  /** The one whose turn it was has its place. */
  served(): void
  /** A task has a place of its run. */
  took(task: Assignment): void
  /** A task has given its place back. */
  left(task: Assignment): void
}

/** Tasks that wait, by run. */
type Waiting = Map<string, Assignment[]>

const placesOf = ({ lead }: RunState): number => lead?.envelope.delegation?.maxConcurrent ?? Number.POSITIVE_INFINITY

const move = (runId: string, from: Waiting, to: Waiting): void => {
  const queue = from.get(runId)
  if (!queue) return
  from.delete(runId)
  to.set(runId, queue)
}

export const createTaskQueue = (): TaskQueue => {
  /** Runs with a place of their own, in the order in which they are served. */
  const ready: Waiting = new Map()
  /** Runs whose places are all taken. */
  const full: Waiting = new Map()
  const taken = new Map<string, number>()
  let readyTasks = 0

  const isFull = (run: RunState): boolean => (taken.get(run.id) ?? 0) >= placesOf(run)

  const front = (): readonly [string, Assignment[]] | undefined => ready.entries().next().value

  const drop = (runId: string, queues: Waiting, queue: Assignment[], index: number): void => {
    queue.splice(index, 1)
    if (queues === ready) readyTasks--
    if (queue.length === 0) queues.delete(runId)
  }

  return {
    mayStart: ({ run }) => readyTasks === 0 && !isFull(run),
    push(task) {
      const { run } = task
      const queues = isFull(run) ? full : ready
      const queue = queues.get(run.id) ?? []
      queues.set(run.id, queue)
      queue.push(task)
      return queues === full ? queue.length : ++readyTasks
    },
    remove(task) {
      const { id } = task.run
      for (const queues of [ready, full]) {
        const queue = queues.get(id)
        const index = queue?.indexOf(task) ?? -1
        if (queue && index >= 0) drop(id, queues, queue, index)
      }
    },
    next: () => front()?.[1][0],
    served() {
      const [runId, queue] = front() ?? []
      if (runId === undefined || !queue) return
      drop(runId, ready, queue, 0)
      ready.delete(runId)
      if (queue.length > 0) ready.set(runId, queue)
    },
    took({ run }) {
      taken.set(run.id, (taken.get(run.id) ?? 0) + 1)
      if (!isFull(run)) return
      readyTasks -= ready.get(run.id)?.length ?? 0
      move(run.id, ready, full)
    },
    left({ run }) {
      const rest = (taken.get(run.id) ?? 1) - 1
      if (rest > 0) taken.set(run.id, rest)
      else taken.delete(run.id)
      if (isFull(run)) return
      readyTasks += full.get(run.id)?.length ?? 0
      move(run.id, full, ready)
    },
  }
}
