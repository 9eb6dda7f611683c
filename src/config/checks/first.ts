import type { Spot } from './tree.ts'

/** Of each value the spot where it stands first. */
export const firstByValue = <S extends Spot>(found: readonly S[]): ReadonlyMap<unknown, S> =>
  new Map([...found].reverse().map((spot) => [spot.value, spot]))
