import { compare } from '../lib/compare.mjs'
import { median } from '../lib/stats.mjs'
import { table } from '../lib/table.mjs'

export const question = 'What does a step cost under a service load, and what does the embedding process feel of it?'

const CONTESTANTS = ['raw', 'troupe', 'ai', 'ai-generate']
const LOADS = [
  { runs: 1, batches: 20, latency: 0 },
  { runs: 1, batches: 10, latency: 20 },
  { runs: 100, latency: 0 },
  { runs: 100, latency: 20 },
  { runs: 333, latency: 0 },
]
const QUICK = [
  { runs: 1, batches: 5, latency: 0 },
  { runs: 20, latency: 0 },
]

export async function run(bench) {
  const rows = []
  for (const { latency, ...load } of bench.quick ? QUICK : LOADS)
    rows.push({
      latency,
      ...load,
      data: await bench.interleave(CONTESTANTS, (name) => bench.measure(name, { latency }, load)),
    })
  return { rows }
}

export const figures = {
  cpu: (e) => (e.own_cpu_ms + e.below_cpu_ms) / e.mock.total,
  wall: (e) => median(e.walls),
  stall: (e) => e.stall.p999,
  stallMax: (e) => e.stall.max,
  excess: (e) => e.stall.p999 - e.control.p999,
  excessMax: (e) => e.stall.max - e.control.max,
  delegate: (e) => median(e.mock.delegate_ms),
  resume: (e) => median(e.mock.resume_ms),
  grown: (e) => e.grown_mb,
}

const sum = (values) => values.reduce((a, b) => a + b, 0)
const perSubagent = (entry, { runs }) => (entry.grown_mb * 1024) / (runs * 3)

export function show({ rows }) {
  return rows
    .map(
      (row) =>
        `### ${row.runs} × 3, model of ${row.latency} ms\n\n${costs(row)}\n\n${stalls(row)}\n\n${fairness(row)}${inShort(row)}`,
    )
    .join('\n\n')
}

function costs(row) {
  const { names, over, ratio, beyond, floor, troupe } = compare(row.data)
  const columns = [
    'contestant',
    'CPU ms/step',
    ': raw',
    'it : Troupe',
    'wall ms',
    'wall, it : Troupe',
    'memory MB',
    'KB/subagent beyond raw',
  ]
  return table(
    columns,
    names.map((name) => [
      name,
      over(name, figures.cpu),
      ratio(name, floor, figures.cpu),
      ratio(name, troupe, figures.cpu),
      over(name, figures.wall),
      ratio(name, troupe, figures.wall),
      over(name, figures.grown),
      name === floor || row.runs < 20 ? '–' : beyond(name, floor, (e) => perSubagent(e, row)),
    ]),
  )
}

function stalls({ data }) {
  const { names, over } = compare(data)
  const columns = [
    'contestant',
    'stall p99.9 ms',
    'excess',
    'stall max ms',
    'excess',
    'lead → first subagent ms',
    'last end → lead ms',
  ]
  return table(
    columns,
    names.map((name) => [
      name,
      ...[figures.stall, figures.excess, figures.stallMax, figures.excessMax, figures.delegate, figures.resume].map(
        (f) => over(name, f),
      ),
    ]),
  )
}

/** The rows of the bar, each against the peer that is best at it. */
function inShort({ data }) {
  const { over, ratio, floor, troupe, peers } = compare(data)
  if (!troupe) return ''
  const best = (figure) => peers.toSorted((a, b) => over(a, figure).median - over(b, figure).median)[0]
  const beside = (label, other, figure, compared) => [label, over(troupe, figure), other, over(other, figure), compared]
  const against = (label, figure, compared = ratio(best(figure), troupe, figure)) =>
    beside(label, best(figure), figure, compared)
  const lines = [
    beside('CPU ms/step, Troupe : it', floor, figures.cpu, ratio(troupe, floor, figures.cpu)),
    against('CPU ms/step, it : Troupe', figures.cpu),
    against('wall ms, it : Troupe', figures.wall),
    against('stall p99.9 in excess, ms', figures.excess, '–'),
    against('longest stall in excess, ms', figures.excessMax, '–'),
  ]
  return `\n\n${table(['in short', 'Troupe', 'against', 'it', 'ratio'], lines)}`
}

/** Same number of requests with the same bodies, and a mock that had time to spare. */
export function fairness({ data }) {
  const { names, over } = compare(data)
  const bodies = (name) =>
    data
      .find((e) => e.name === name)
      ?.shapes.join('\n')
      .replaceAll('| whole |', '| streamed |')
  const lines = names.map((name) => [
    name,
    over(name, (e) => e.mock.total),
    over(name, (e) => e.mock.body_bytes.lead),
    over(name, (e) => e.mock.body_bytes.sub),
    bodies(name) === bodies(names[0]) ? 'same' : 'DIFFER',
    over(name, (e) => e.mock.cpu_ms / sum(e.walls)),
    over(name, (e) => e.failures.length + e.wrong.length),
  ])
  return table(['contestant', 'requests', 'bytes, lead', 'bytes, subagent', 'bodies', 'mock busy', 'failed'], lines)
}
