import { cellsOf, compare } from '../lib/compare.mjs'
import { table } from '../lib/table.mjs'

export const question = 'Does a step cost more when there are ten times as many?'
export const minutes = 3

const CONTESTANTS = ['raw', 'troupe', 'ai']
const LOADS = [100, 1000]
const QUICK = [5, 20]
/** More than elsewhere: what is still being compiled under the smaller load would pass for a cost of that load. */
const WARMUP = 300

export async function run(bench) {
  const warmup = bench.quick ? bench.warmup : WARMUP
  const once = ({ contestant }, keep) =>
    bench.session(contestant, {}, { warmup }, async (measure) => {
      for (const runs of bench.quick ? QUICK : LOADS) keep({ cell: String(runs * 3), ...(await measure({ runs })) })
    })
  return { warmup, data: await bench.interleave(CONTESTANTS, once, 3) }
}

/** Of one contestant, round by round: the cost of the larger load for one of the smaller. */
function grown(data, name) {
  const [few, many] = cellsOf(data).map(({ data: rounds }) => rounds.filter((entry) => entry.name === name))
  const as = (rounds, label) => (rounds ?? []).map((entry) => ({ ...entry, name: label }))
  return compare([...as(few, 'few'), ...as(many, 'many')]).ratio('many', 'few', (e) => e.cpu)
}

export function show({ warmup, data }) {
  const cells = cellsOf(data)
  const names = compare(data).names
  const costs = cells.map(({ data: rounds }) => compare(rounds))
  const title = cells.map(({ cell }) => `CPU ms a step, ${cell} subagents`)
  const rows = names.map((name) => [name, ...costs.map(({ over }) => over(name, (e) => e.cpu)), grown(data, name)])
  return `Warmed by ${warmup} runs × 3.\n\n${table(['contestant', ...title, 'ratio'], rows)}`
}

export const chart = ({ data }) => ({
  kind: 'bars',
  x: `CPU a step at ${cellsOf(data)
    .map(({ cell }) => cell)
    .reverse()
    .join(' : ')} subagents`,
  rows: compare(data).names.map((name) => ({ name, ...grown(data, name) })),
})

export const short = ({ data }) => [['CPU a step at ten times the load : before', '–', grown(data, 'troupe')]]
