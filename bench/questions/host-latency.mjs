import { cellsOf, compare } from '../lib/compare.mjs'
import { fairness } from '../lib/fairness.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'What does the service that embeds it feel of the load?'
export const minutes = 5

const CONTESTANTS = ['raw', 'troupe', 'troupe-chatopenai', 'ai', 'openai-agents', 'langchain', 'deepagents']
const LOADS = [
  { runs: 100, batches: 2, rounds: 3 },
  { runs: 333, rounds: 2 },
]
const QUICK = [{ runs: 10, rounds: 1 }]

export async function run(bench) {
  const loads = bench.quick ? QUICK : LOADS
  const once = ({ contestant }, keep, round) =>
    bench.session(contestant, {}, { poll: true }, async (measure) => {
      for (const { rounds, ...load } of loads)
        if (round <= rounds) keep({ cell: `${load.runs} × 3`, ...(await measure(load)) })
    })
  return { data: await bench.interleave(CONTESTANTS, once, 3) }
}

export const show = ({ data }) =>
  `${cellsOf(data)
    .map(({ cell, data: rounds }) => `${cell}, model of 0 ms:\n\n${latencies(rounds)}`)
    .join('\n\n')}\n\n${fairness(data)}`

/** What an embedding process shows of its event loop, under any load. */
export function latencies(data) {
  const all = compare(data)
  const column = (title, figure) => [title, (name) => all.over(name, figure)]
  return byContestant(all, [
    column('/health p50 ms', (e) => e.health_p50),
    column('/health p99 ms', (e) => e.health_p99),
    column('idle control’s p99', (e) => e.health_control_p99),
    column('/health max ms', (e) => e.health_max),
    column('asked', (e) => e.health_asked),
    column('loop stall p99.9 ms', (e) => e.stall),
    column('in excess of idle', (e) => e.excess),
    column('longest stall ms', (e) => e.stall_max),
    column('in excess of idle', (e) => e.excess_max),
  ])
}

export const chart = ({ data }) => ({
  kind: 'dots',
  x: 'p99 of /health in the embedding process, ms',
  rows: cellsOf(data).flatMap(({ cell, data: rounds }) => {
    const { names, over } = compare(rounds)
    return names.map((name) => ({ name, group: cell, ...over(name, (e) => e.health_p99) }))
  }),
})

export const short = ({ data }) =>
  cellsOf(data).flatMap(({ cell, data: rounds }) => {
    const { best, over, troupe } = compare(rounds)
    const peer = best((e) => e.excess)
    if (!peer) return []
    return [
      [`loop stall p99.9 in excess of idle, ms, Troupe, ${cell}`, 'idle control', over(troupe, (e) => e.excess)],
      [`loop stall p99.9 in excess of idle, ms, best peer, ${cell}`, peer, over(peer, (e) => e.excess)],
      [`/health p99, ms, Troupe, ${cell}`, '–', over(troupe, (e) => e.health_p99)],
      [`/health p99, ms, best peer, ${cell}`, peer, over(peer, (e) => e.health_p99)],
    ]
  })
