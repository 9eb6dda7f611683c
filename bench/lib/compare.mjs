import { FLOOR, isPeer, TROUPE } from './contestants.mjs'
import { spread } from './stats.mjs'

/** Rounds of one contestant, and figures that only mean something within one round. */
export function compare(data) {
  const names = [...new Set(data.map(({ name }) => name))]
  const of = (name) => data.filter((entry) => entry.name === name && !entry.failed)
  const twin = (entry, name) => of(name).find((other) => other.round === entry.round)
  const perRound = (name, base, both) =>
    spread(of(name).flatMap((entry) => (twin(entry, base) ? [both(entry, twin(entry, base))] : [])))
  return {
    names,
    failure: (name) => data.find((entry) => entry.name === name && entry.failed)?.failed,
    rounds: (name) => of(name).length,
    over: (name, figure) => spread(of(name).map(figure)),
    /** `figure` of `name` divided by that of `base`, round by round. */
    ratio: (name, base, figure) => perRound(name, base, (entry, other) => figure(entry) / figure(other)),
    /** What `name` shows beyond `base` in the same round. */
    beyond: (name, base, figure) => perRound(name, base, (entry, other) => figure(entry) - figure(other)),
    floor: FLOOR,
    troupe: TROUPE,
    peers: names.filter(isPeer),
    /** The peer with the lowest median. */
    best: (figure) =>
      names
        .filter((name) => isPeer(name) && of(name).length > 0)
        .toSorted((a, b) => spread(of(a).map(figure)).median - spread(of(b).map(figure)).median)[0],
  }
}

/** The rounds of each cell of a question that measures several loads with one process. */
export const cellsOf = (data) => {
  const keys = [...new Set(data.filter(({ cell }) => cell).map(({ cell }) => cell))]
  const failed = data.filter((entry) => entry.failed)
  return keys.map((cell) => {
    const own = data.filter((entry) => entry.cell === cell)
    const without = failed.filter(({ name }) => own.every((entry) => entry.name !== name))
    return { cell, data: [...own, ...without] }
  })
}
