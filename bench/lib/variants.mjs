import { compare } from './compare.mjs'
import { TROUPE } from './contestants.mjs'
import { fairness } from './fairness.mjs'
import { byContestant } from './table.mjs'

/** Measures Troupe in several settings, as if each were a contestant. */
export async function variants(bench, settings, load) {
  const entries = settings.map((setting) => ({ ...setting, contestant: TROUPE }))
  const once = ({ contestant, work }) => bench.measure(contestant, work, load)
  return { ...load, data: await bench.interleave(entries, once, 3) }
}

/** How such a question is shown: each setting beside `base`. */
export const compareVariants = (base, note) => ({
  show({ runs, data }) {
    const all = compare(data)
    const column = (title, figure) => [title, (name) => all.over(name, figure)]
    return `${note} ${runs} runs × 3.\n\n${byContestant(all, [
      column('CPU ms a step', (e) => e.cpu),
      [`it : ${base}`, (name) => all.ratio(name, base, (e) => e.cpu)],
      column('wall ms', (e) => e.wall),
      [`it : ${base}`, (name) => all.ratio(name, base, (e) => e.wall)],
      column('peak memory beyond warm, MB', (e) => e.grown_mb),
      column('loop stall p99.9 ms', (e) => e.stall),
    ])}\n\n${fairness(data)}`
  },

  chart({ data }) {
    const { names, over } = compare(data)
    return { kind: 'bars', x: 'CPU ms a step', rows: names.map((name) => ({ name, ...over(name, (e) => e.cpu) })) }
  },

  short({ data }) {
    const { names, ratio } = compare(data)
    return names
      .filter((name) => name !== base)
      .map((name) => [`wall, ${name} : ${base}`, base, ratio(name, base, (e) => e.wall)])
  },
})
