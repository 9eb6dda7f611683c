/** Places in shared memory for live agents, given out lowest first so that a small runtime stays in few cache lines. */
export interface Slots {
  take(): number | undefined
  give(slot: number): void
  free(): number
}

export const createSlots = (count: number): Slots => {
  const free: number[] = []
  let untouched = 0
  return {
    take: () => free.pop() ?? (untouched < count ? untouched++ : undefined),
    give: (slot) => void free.push(slot),
    free: () => count - untouched + free.length,
  }
}
