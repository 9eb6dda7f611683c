import { setTimeout as sleep } from 'node:timers/promises'
import { compare } from '../lib/compare.mjs'
import { inFlight } from '../lib/held.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'How soon is it over when 100 subagents are cancelled in the middle of an answer?'
export const minutes = 2

const CONTESTANTS = ['raw', 'troupe', 'troupe-chatopenai', 'ai', 'openai-agents', 'langchain', 'deepagents']
const AFTERMATH_MS = 500
/** Four subagents a run, all of whose answers stream. */
const WORK = { tasks: 4, streaming: true }

export async function run(bench) {
  const runs = bench.quick ? 5 : 25
  const data = await bench.interleave(CONTESTANTS, ({ contestant }) => once(bench, contestant, runs), 3)
  return { inFlight: runs * WORK.tasks, data }
}

const once = ({ mock, warmup, warm, contestant }, name, runs) =>
  contestant(name, WORK, async (child) => {
    await mock.ask('reset', WORK)
    await warm(child, warmup)
    await mock.ask('reset', { ...WORK, hold: true })
    await child.ask('launch', { runs })
    await inFlight(mock, runs * WORK.tasks)
    const outcome = await child.ask('cancel')
    await sleep(AFTERMATH_MS)
    return figures(outcome, await mock.ask('stats'))
  })

function figures({ at, settled, completed }, { held, arrivals }) {
  const open = held.filter(({ closed }) => closed === null).length
  return {
    settled: settled - at,
    closed: open ? null : Math.max(...held.map(({ closed }) => closed)) - at,
    open,
    after: arrivals.filter((arrival) => arrival > settled).length,
    completed,
  }
}

export function show({ inFlight: subagents, data }) {
  const all = compare(data)
  const column = (title, figure) => [title, (name) => all.over(name, figure)]
  const columns = [
    column('settled ms', (e) => e.settled),
    ['it : Troupe', (name) => all.ratio(name, all.troupe, (e) => e.settled)],
    column('last socket closed ms', (e) => e.closed ?? Number.NaN),
    column('left open', (e) => e.open),
    column('requests afterwards', (e) => e.after),
    column('runs that completed', (e) => e.completed),
  ]
  return `${subagents} in flight\n\n${byContestant(all, columns)}`
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return {
    kind: 'dots',
    x: 'all cancelled runs settled, ms',
    rows: names.map((name) => ({ name, ...over(name, (e) => e.settled) })),
  }
}

export function short({ data }) {
  const { best, over, troupe } = compare(data)
  const peer = best((e) => e.settled)
  return [
    ['cancelled runs settled, ms, Troupe', '–', over(troupe, (e) => e.settled)],
    ...(peer ? [['cancelled runs settled, ms, best peer', peer, over(peer, (e) => e.settled)]] : []),
    ['last socket closed, ms, Troupe', '–', over(troupe, (e) => e.closed ?? Number.NaN)],
  ]
}
