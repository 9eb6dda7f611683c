import type { Assignment } from './tracked.ts'

/** Subagents that wait for a place. Runs take turns, so that one with many keeps no other waiting. */
export interface TaskQueue {
  /** Returns how many wait with it. */
  push(task: Assignment): number
  remove(task: Assignment): void
  /** Whose turn it is. */
  next(): Assignment | undefined
  /** The one whose turn it was has its place. */
  served(): void
  size(): number
}

export const createTaskQueue = (): TaskQueue => {
  /** By run, in the order in which the runs are served. */
  const queues = new Map<string, Assignment[]>()
  let size = 0

  const front = (): readonly [string, Assignment[]] | undefined => queues.entries().next().value

  return {
    push(task) {
      const queue = queues.get(task.run.id)
      if (queue) queue.push(task)
      else queues.set(task.run.id, [task])
      return ++size
    },
    remove(task) {
      const queue = queues.get(task.run.id)
      const index = queue?.indexOf(task) ?? -1
      if (!queue || index < 0) return
      queue.splice(index, 1)
      size--
      if (queue.length === 0) queues.delete(task.run.id)
    },
    next: () => front()?.[1][0],
    served() {
      const [runId, queue] = front() ?? []
      if (runId === undefined || !queue) return
      queue.shift()
      size--
      queues.delete(runId)
      if (queue.length > 0) queues.set(runId, queue)
    },
    size: () => size,
  }
}
