import { FLOOR, isPeer, isTroupe } from './contestants.mjs'
import { spread } from './stats.mjs'

/** Rounds of one contestant, and figures that only mean something within one round. */
export function compare(data) {
  const names = [...new Set(data.map(({ name }) => name))]
  const of = (name) => data.filter((entry) => entry.name === name)
  const twin = (entry, name) => data.find((other) => other.name === name && other.round === entry.round)
  return {
    names,
    over: (name, figure) => spread(of(name).map(figure)),
    /** `figure` of `name` divided by that of `base`, round by round. */
    ratio: (name, base, figure) =>
      spread(of(name).flatMap((entry) => (twin(entry, base) ? [figure(entry) / figure(twin(entry, base))] : []))),
    /** What `name` shows beyond `base` in the same round. */
    beyond: (name, base, figure) =>
      spread(of(name).flatMap((entry) => (twin(entry, base) ? [figure(entry) - figure(twin(entry, base))] : []))),
    floor: names.includes(FLOOR) ? FLOOR : undefined,
    troupe: names.find(isTroupe),
    peers: names.filter(isPeer),
  }
}
