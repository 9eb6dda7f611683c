/** Chance that is the same in every run: numbers from 0 to 1 by a seed (mulberry32). */
export interface Chance {
  next(): number
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number
  /** Whether something happens that happens so often. */
  often(share: number): boolean
  pick<T>(list: readonly T[]): T
}

export const createChance = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    below: (below) => Math.floor(next() * below),
    often: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
  }
}
