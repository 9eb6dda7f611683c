import { cellsOf, compare } from '../lib/compare.mjs'
import { fairness } from '../lib/fairness.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'How long does a delegation take that is not the model’s?'
export const minutes = 2

const CONTESTANTS = ['raw', 'troupe', 'troupe-chatopenai', 'ai', 'openai-agents', 'langchain', 'deepagents']
const LOADS = [
  { runs: 1, batches: 40 },
  { runs: 10, batches: 5 },
]
const QUICK = [{ runs: 1, batches: 5 }]

export async function run(bench) {
  const once = ({ contestant }, keep) =>
    bench.session(contestant, {}, {}, async (measure) => {
      for (const load of bench.quick ? QUICK : LOADS) keep({ cell: `${load.runs} × 3`, ...(await measure(load)) })
    })
  return { data: await bench.interleave(CONTESTANTS, once, 3) }
}

const NOTE =
  'Seen by the mock: lead’s answer sent → first request of its subagents; last subagent’s answer sent → lead’s next request.'

export function show({ data }) {
  const cells = cellsOf(data).map(({ cell, data: rounds }) => {
    const all = compare(rounds)
    const column = (title, figure) => [title, (name) => all.over(name, figure)]
    return `${cell}, p50:\n\n${byContestant(all, [
      column('lead → first subagent ms', (e) => e.delegate),
      column('last end → lead ms', (e) => e.resume),
      column('wall ms', (e) => e.wall),
      ['wall, it : Troupe', (name) => all.ratio(name, all.troupe, (e) => e.wall)],
    ])}`
  })
  return `${NOTE}\n\n${cells.join('\n\n')}\n\n${fairness(data)}`
}

const firstCell = (data) => compare(cellsOf(data)[0]?.data ?? [])

export function chart({ data }) {
  const { names, over } = firstCell(data)
  return {
    kind: 'dots',
    x: 'one run of 3 subagents, p50, ms',
    rows: names.flatMap((name) => [
      { name, group: 'lead → subagent', ...over(name, (e) => e.delegate) },
      { name, group: 'last end → lead', ...over(name, (e) => e.resume) },
    ]),
  }
}

export function short({ data }) {
  const { over, troupe } = firstCell(data)
  return [
    ['lead’s answer → first subagent request, ms p50, 1 × 3', '–', over(troupe, (e) => e.delegate)],
    ['last subagent’s end → lead’s next request, ms p50, 1 × 3', '–', over(troupe, (e) => e.resume)],
  ]
}
