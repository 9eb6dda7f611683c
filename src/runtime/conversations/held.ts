/** Runs of this thread that have a conversation, by the path of its log. */
type Held = Map<string, string>

// Of all copies of Troupe on this thread: two runtimes may come from two bundles.
const KEY = Symbol.for('troupe.conversations')

const heldHere = (): Held => {
  const global = globalThis as { [KEY]?: Held }
  global[KEY] ??= new Map()
  return global[KEY]
}

/** Takes a log for a run of this thread; `false` when another run of it has it. */
export const hold = (file: string, run: string): boolean => {
  const held = heldHere()
  if (held.has(file)) return false
  held.set(file, run)
  return true
}

export const letGo = (file: string): void => void heldHere().delete(file)

export const isHeldHere = (run: string): boolean => [...heldHere().values()].includes(run)
