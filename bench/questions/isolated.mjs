import { compare } from '../lib/compare.mjs'
import { fairness } from '../lib/fairness.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'What does it cost to run a trivial tool in a process that can be killed?'
export const minutes = 1

const CONTESTANTS = ['troupe', 'troupe-isolated']

export async function run(bench) {
  const load = { runs: bench.quick ? 10 : 100 }
  const once = ({ contestant }) => bench.measure(contestant, {}, load)
  return { ...load, data: await bench.interleave(CONTESTANTS, once) }
}

export function show({ runs, data }) {
  const all = compare(data)
  const column = (title, figure) => [title, (name) => all.over(name, figure)]
  return `${runs} runs × 3\n\n${byContestant(all, [
    column('CPU ms a step', (e) => e.cpu),
    ['it : in the thread', (name) => all.ratio(name, all.troupe, (e) => e.cpu)],
    column('of it in tool processes', (e) => e.below_cpu),
    column('wall ms', (e) => e.wall),
    column('longest stall ms', (e) => e.stall_max),
    column('processes', (e) => e.below_count),
    column('their MB', (e) => e.below_mb),
  ])}\n\n${fairness(data)}`
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return { kind: 'bars', x: 'CPU ms a step', rows: names.map((name) => ({ name, ...over(name, (e) => e.cpu) })) }
}
