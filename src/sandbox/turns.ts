const lastOf = new Map<string, Promise<void>>()

/**
 * Work on one file of this thread, in the order in which it was asked for: what a response writes and then edits is
 * written first.
 */
export const inTurn = <T>(file: string, work: () => Promise<T>): Promise<T> => {
  const before = lastOf.get(file)
  const mine = before === undefined ? work() : before.then(work)
  const done = mine.then(
    () => {},
    () => {},
  )
  lastOf.set(file, done)
  void done.then(() => {
    if (lastOf.get(file) === done) lastOf.delete(file)
  })
  return mine
}
