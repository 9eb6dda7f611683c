import type { RunSettings } from './settings.ts'

/** Counts the runs that hold to each revision of the settings, and tells when one that was replaced has none left. */
export const createHolders = (onForgotten: (revision: number) => void) => {
  const counts = new Map<number, number>()
  const replaced = new Set<number>()
  const forgetIdle = (revision: number): void => {
    if (counts.has(revision) || !replaced.delete(revision)) return
    onForgotten(revision)
  }
  return {
    add({ thread: { revision } }: RunSettings): void {
      counts.set(revision, (counts.get(revision) ?? 0) + 1)
    },
    remove({ thread: { revision } }: RunSettings): void {
      const left = (counts.get(revision) ?? 1) - 1
      if (left > 0) counts.set(revision, left)
      else counts.delete(revision)
      forgetIdle(revision)
    },
    replace({ thread: { revision } }: RunSettings): void {
      replaced.add(revision)
      forgetIdle(revision)
    },
  }
}
