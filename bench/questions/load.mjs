import { cellsOf, compare } from '../lib/compare.mjs'
import { fairness } from '../lib/fairness.mjs'
import { table } from '../lib/table.mjs'

export const question = 'What does a step cost under a service load?'
export const minutes = 42

const LATENCIES = [0, 20]
/** The larger a load, the less one round differs from the next, and the longer it takes. */
const FORMS = [
  {
    form: 'streaming',
    contestants: ['raw', 'troupe', 'troupe-chatopenai', 'ai', 'openai-agents', 'langchain', 'deepagents'],
    loads: [
      { runs: 1, batches: 12, rounds: 3 },
      { runs: 10, batches: 3, rounds: 3 },
      { runs: 100, rounds: 3 },
      { runs: 333, rounds: 2 },
      { runs: 1000, rounds: 1 },
    ],
  },
  {
    form: 'whole',
    contestants: ['raw', 'troupe', 'ai', 'openai-agents', 'langchain', 'deepagents'],
    loads: [
      { runs: 1, batches: 12, rounds: 2 },
      { runs: 10, batches: 3, rounds: 2 },
      { runs: 100, rounds: 2 },
      { runs: 333, rounds: 1 },
      { runs: 1000, rounds: 1, latencies: [0] },
    ],
  },
]
const QUICK = [
  { runs: 1, batches: 3, rounds: 1 },
  { runs: 10, rounds: 1 },
]

export async function run(bench) {
  const forms = []
  for (const { form, contestants, loads } of FORMS) {
    const cells = (bench.quick ? QUICK : loads).flatMap(({ latencies = LATENCIES, ...load }) =>
      latencies.map((latency) => ({ latency, ...load })),
    )
    const rounds = Math.max(...cells.map((cell) => cell.rounds))
    const streaming = form === 'streaming'
    const once = ({ contestant }, keep, round) =>
      bench.session(contestant, { streaming }, {}, async (measure) => {
        for (const { rounds: upTo, ...load } of cells)
          if (round <= upTo) keep({ cell: `${load.runs} ${load.latency}`, ...(await measure(load)) })
      })
    forms.push({ form, data: await bench.interleave(contestants, once, rounds) })
  }
  return { forms }
}

const toCell = ({ cell, data }) => {
  const [runs, latency] = cell.split(' ').map(Number)
  return { runs, latency, data, all: compare(data) }
}
const cellsFor = (data, latency) =>
  cellsOf(data)
    .map(toCell)
    .filter((cell) => cell.latency === latency)

const HOW = {
  streaming: 'Every answer streams.',
  whole: 'The lead’s answers stream; those of subagents come as a whole, except in Troupe, which streams all.',
}

export const show = ({ forms }) =>
  forms
    .map(
      ({ form, data }) =>
        `${HOW[form]}\n\n${LATENCIES.map((latency) => loads(data, latency)).join('\n\n')}\n\n${fairness(data)}`,
    )
    .join('\n\n')

function loads(data, latency) {
  const cells = cellsFor(data, latency)
  const names = [...new Set(data.map(({ name }) => name))]
  const head = cells.map(({ runs, all }) => `${runs} × 3${all.rounds('raw') === 1 ? ' (1 round)' : ''}`)
  const pivot = (title, value) =>
    table(
      [title, ...head],
      names.map((name) => [name, ...cells.map(({ all }) => value(all, name))]),
    )
  const cpu = (e) => e.cpu
  const wall = (e) => e.wall
  return [
    `Model of ${latency} ms:`,
    pivot('CPU ms a step', ({ over }, name) => over(name, cpu)),
    pivot('CPU a step, it : raw', ({ ratio, floor }, name) => ratio(name, floor, cpu)),
    pivot('CPU a step, it : Troupe', ({ ratio, troupe }, name) => ratio(name, troupe, cpu)),
    pivot('wall ms', ({ over }, name) => over(name, wall)),
    pivot('wall, it : Troupe', ({ ratio, troupe }, name) => ratio(name, troupe, wall)),
    pivot('peak memory beyond warm, MB', ({ over }, name) => over(name, (e) => e.grown_mb)),
  ].join('\n\n')
}

export const chart = ({ forms }) => ({
  kind: 'lines',
  x: 'subagents at once',
  y: 'CPU ms a step',
  rows: forms
    .filter(({ form }) => form === 'streaming')
    .flatMap(({ data }) =>
      cellsFor(data, 0).flatMap(({ runs, all }) =>
        all.names.map((name) => ({ name, x: runs * 3, ...all.over(name, (e) => e.cpu) })),
      ),
    ),
})

export function short({ forms }) {
  const streaming = forms.find(({ form }) => form === 'streaming').data
  const at = (data, runs, latency) => cellsFor(data, latency).find((cell) => cell.runs === runs)?.all
  const against = (title, all, figure) => {
    const peer = all?.best(figure)
    return peer ? [[title, peer, all.ratio(peer, all.troupe, figure)]] : []
  }
  const floor = at(streaming, 100, 0)
  const newcomer = at(forms.at(-1).data, 1, 20)
  const fast = newcomer?.best((e) => e.wall)
  return [
    ...(floor ? [['CPU a step, Troupe : raw, 100 × 3', 'raw', floor.ratio('troupe', 'raw', (e) => e.cpu)]] : []),
    ...forms.flatMap(({ form, data }) => [
      ...against(`CPU a step, best peer : Troupe, 100 × 3, ${form}`, at(data, 100, 0), (e) => e.cpu),
      ...against(`wall, best peer : Troupe, 100 × 3, 20 ms, ${form}`, at(data, 100, 20), (e) => e.wall),
    ]),
    ...(fast ? [['wall, Troupe : best peer, 1 × 3, 20 ms', fast, newcomer.ratio('troupe', fast, (e) => e.wall)]] : []),
  ]
}
