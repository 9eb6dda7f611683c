import { setTimeout as sleep } from 'node:timers/promises'
import { compare } from '../lib/compare.mjs'
import { table } from '../lib/table.mjs'

export const question = 'How soon is it over when 100 subagents are cancelled in the middle of an answer?'

const CONTESTANTS = ['raw', 'troupe', 'ai', 'ai-generate']
const AFTERMATH_MS = 500

export async function run(bench) {
  const tasks = 4
  const runs = bench.quick ? 5 : 25
  const data = await bench.interleave(CONTESTANTS, (name) => once(bench, name, { tasks }, runs))
  return { inFlight: runs * tasks, data }
}

const once = ({ mock, warmup, warm, contestant }, name, work, runs) =>
  contestant(name, work, async (child) => {
    await mock.ask('reset', work)
    await warm(child, warmup)
    await mock.ask('reset', { ...work, hold: true })
    await child.ask('launch', { runs })
    await inFlight(mock, runs * work.tasks)
    const outcome = await child.ask('cancel')
    await sleep(AFTERMATH_MS)
    return { ...outcome, mock: await mock.ask('stats') }
  })

async function inFlight(mock, wanted) {
  const deadline = performance.now() + 60_000
  for (;;) {
    const { held } = await mock.ask('stats')
    if (held.length >= wanted) return
    if (performance.now() > deadline) throw new Error(`${held.length} of ${wanted} subagents in flight after 60 s`)
    await sleep(20)
  }
}

const settled = (e) => e.settled - e.at
const stillOpen = (e) => e.mock.held.filter(({ closed }) => closed === null).length
const lastClosed = (e) => (stillOpen(e) ? Number.NaN : Math.max(...e.mock.held.map(({ closed }) => closed)) - e.at)
const after = (e) => e.mock.arrivals.filter((at) => at > e.settled).length

export function show({ inFlight: subagents, data }) {
  const { names, over, ratio, troupe } = compare(data)
  const columns = [
    'contestant',
    'settled ms',
    'it : Troupe',
    'last socket closed ms',
    'left open',
    'requests afterwards',
    'runs that completed',
  ]
  const lines = names.map((name) => [
    name,
    over(name, settled),
    ratio(name, troupe, settled),
    ...[lastClosed, stillOpen, after, (e) => e.completed].map((f) => over(name, f)),
  ])
  return `${subagents} in flight\n\n${table(columns, lines)}`
}
