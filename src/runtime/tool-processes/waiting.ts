export type CallKey = string | number | symbol

/** Work that waits for a process: first come first served within a run, in turn between runs. */
export interface Waiting<T> {
  readonly size: number
  /** `false`: this run has as many waiting as it may. */
  add(key: CallKey, runId: string, item: T): boolean
  take(): T | undefined
  remove(key: CallKey): T | undefined
  drain(): readonly T[]
}

export const createWaiting = <T>(perRun: number): Waiting<T> => {
  // Maps keep the order of insertion: of runs, the order of their turns; within a run, that of arrival.
  const runs = new Map<string, Map<CallKey, T>>()
  const runOf = new Map<CallKey, string>()

  const remove = (key: CallKey): T | undefined => {
    const runId = runOf.get(key)
    const queue = runId === undefined ? undefined : runs.get(runId)
    if (runId === undefined || queue === undefined) return undefined
    const item = queue.get(key)
    queue.delete(key)
    runOf.delete(key)
    if (queue.size === 0) runs.delete(runId)
    return item
  }

  return {
    get size() {
      return runOf.size
    },
    add: (key, runId, item) => {
      const queue = runs.get(runId) ?? new Map<CallKey, T>()
      if (queue.size >= perRun) return false
      queue.set(key, item)
      runs.set(runId, queue)
      runOf.set(key, runId)
      return true
    },
    take: () => {
      const [turn] = runs
      if (turn === undefined) return undefined
      const [runId, queue] = turn
      const [first] = queue.keys()
      if (first === undefined) return undefined
      const item = remove(first)
      // The run goes to the end of the line.
      if (runs.delete(runId)) runs.set(runId, queue)
      return item
    },
    remove,
    drain: () => {
      const items = [...runs.values()].flatMap((queue) => [...queue.values()])
      runs.clear()
      runOf.clear()
      return items
    },
  }
}
