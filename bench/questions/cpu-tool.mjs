import { compare } from '../lib/compare.mjs'
import { fairness } from '../lib/fairness.mjs'
import { byContestant } from '../lib/table.mjs'
import { latencies } from './host-latency.mjs'

export const question = 'What does the embedding process feel while 30 subagents run a tool that burns 20 ms of CPU?'
export const minutes = 3

const CONTESTANTS = ['raw', 'troupe-isolated', 'troupe', 'ai', 'openai-agents', 'langchain', 'deepagents']
/** Fewer than elsewhere: each call burns its 20 ms here too, and the figure is a stall, not a cost. */
const WARMUP = 6

export async function run(bench) {
  const load = { runs: bench.quick ? 3 : 10, warmup: WARMUP, poll: true }
  const once = ({ contestant }) => bench.measure(contestant, { tool: 'burn' }, load)
  return { runs: load.runs, data: await bench.interleave(CONTESTANTS, once, 3) }
}

export function show({ runs, data }) {
  const all = compare(data)
  const costs = byContestant(all, [
    ['wall ms', (name) => all.over(name, (e) => e.wall)],
    ['CPU ms a step', (name) => all.over(name, (e) => e.cpu)],
  ])
  return `${runs} runs × 3, warmed by ${WARMUP}\n\n${latencies(data)}\n\n${costs}\n\n${fairness(data)}`
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return {
    kind: 'dots',
    x: 'p99 of /health in the embedding process, ms',
    rows: names.map((name) => ({ name, ...over(name, (e) => e.health_p99) })),
  }
}

export function short({ data }) {
  const { best, over } = compare(data)
  const peer = best((e) => e.excess)
  const excess = (name) => over(name, (e) => e.excess)
  return [
    ['loop stall p99.9 in excess of idle, ms, Troupe, isolated tool', 'idle control', excess('troupe-isolated')],
    ...(peer ? [['loop stall p99.9 in excess of idle, ms, best peer', peer, excess(peer)]] : []),
  ]
}
