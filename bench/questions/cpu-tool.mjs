import { compare } from '../lib/compare.mjs'
import { table } from '../lib/table.mjs'
import { fairness, figures } from './load.mjs'

export const question = 'What does the embedding process feel while 30 subagents run a tool that burns 20 ms of CPU?'

const CONTESTANTS = ['raw', 'troupe-isolated', 'troupe', 'ai', 'ai-generate']
/** Fewer than elsewhere: each call burns its 20 ms here too, and the figure is a stall, not a cost. */
const WARMUP = 6

export async function run(bench) {
  const work = { tool: 'burn' }
  const runs = bench.quick ? 3 : 10
  const load = { runs, warmup: WARMUP }
  return { runs, data: await bench.interleave(CONTESTANTS, (name) => bench.measure(name, work, load)) }
}

export function show(row) {
  const { names, over } = compare(row.data)
  const columns = ['contestant', 'stall p99.9 ms', 'excess', 'stall max ms', 'excess', 'wall ms', 'CPU ms/step']
  const lines = names.map((name) => [
    name,
    ...[figures.stall, figures.excess, figures.stallMax, figures.excessMax, figures.wall, figures.cpu].map((f) =>
      over(name, f),
    ),
  ])
  return `${row.runs} runs × 3, warmed by ${WARMUP}\n\n${table(columns, lines)}\n\n${fairness(row)}`
}
