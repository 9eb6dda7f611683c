import { compare } from '../lib/compare.mjs'
import { table } from '../lib/table.mjs'
import { fairness, figures } from './load.mjs'

export const question = 'What does it cost to run a trivial tool in a process that can be killed?'

const CONTESTANTS = ['troupe', 'troupe-isolated']

export async function run(bench) {
  const load = { runs: bench.quick ? 10 : 100 }
  return { ...load, data: await bench.interleave(CONTESTANTS, (name) => bench.measure(name, {}, load)) }
}

export function show(row) {
  const { names, over } = compare(row.data)
  const below = [(e) => e.below.count, (e) => e.below.rss_mb]
  const columns = [
    'contestant',
    'CPU ms/step',
    'of it in tool processes',
    'wall ms',
    'stall max ms',
    'processes',
    'their MB',
  ]
  const shown = [figures.cpu, (e) => e.below_cpu_ms / e.mock.total, figures.wall, figures.stallMax, ...below]
  return `${row.runs} runs × 3\n\n${table(
    columns,
    names.map((name) => [name, ...shown.map((f) => over(name, f))]),
  )}\n\n${fairness(row)}`
}
