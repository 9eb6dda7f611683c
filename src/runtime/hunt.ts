/** Finds what has left its process group, once those that stayed in theirs have had the time to end by themselves. */
export interface Hunt {
  /** Hunts for the mark when all these groups are gone. */
  after(groups: readonly number[], mark: string): void
  gone(group: number): void
}

export const createHunt = (start: (marks: readonly string[]) => void): Hunt => {
  const waiting = new Map<number, { readonly mark: string; left: number }>()
  let marks: string[] = []

  /** Those of many agents that end together are looked for at once. */
  const add = (mark: string): void => {
    if (marks.push(mark) > 1) return
    setImmediate(() => {
      start(marks)
      marks = []
    })
  }

  return {
    after(groups, mark) {
      const hunted = { mark, left: groups.length }
      for (const group of groups) waiting.set(group, hunted)
      if (groups.length === 0) add(mark)
    },
    gone(group) {
      const hunted = waiting.get(group)
      if (!hunted) return
      waiting.delete(group)
      if (--hunted.left === 0) add(hunted.mark)
    },
  }
}
