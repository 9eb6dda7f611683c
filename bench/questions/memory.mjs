import { setTimeout as sleep } from 'node:timers/promises'
import { cellsOf, compare } from '../lib/compare.mjs'
import { inFlight } from '../lib/held.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'What does a live subagent take?'
export const minutes = 3

/** Up to so many at once; of those that keep all on one heap, no more than it holds with ease. */
const CONTESTANTS = {
  raw: 10_000,
  troupe: 10_000,
  ai: 3000,
  'openai-agents': 1000,
  langchain: 1000,
  deepagents: 1000,
}
const LEVELS = [1000, 3000, 10_000]
const QUICK = [50, 100]
/** Some runs with many subagents each, and room for all of them on the agent threads. */
const WORK = { tasks: 25, streaming: true, runtime: { agents_per_thread: 10_000 } }
const WARM_RUNS = 4
const SETTLE_MS = 1000
const KB = 1024

export async function run(bench) {
  const levels = bench.quick ? QUICK : LEVELS
  const once = ({ contestant: name }, keep) =>
    bench.contestant(name, WORK, async (child) => {
      await bench.mock.ask('reset', WORK)
      await bench.warm(child, WARM_RUNS)
      await bench.mock.ask('reset', { ...WORK, hold: true })
      // What a collection frees takes a moment to go back to the system.
      await child.ask('memory')
      await sleep(SETTLE_MS)
      const before = await child.ask('memory')
      let live = 0
      for (const level of levels.filter((count) => count <= CONTESTANTS[name])) {
        await child.ask('launch', { runs: (level - live) / WORK.tasks })
        await inFlight(bench.mock, level)
        await sleep(SETTLE_MS)
        keep({ cell: String(level), ...growth(before, await child.ask('memory'), level) })
        live = level
      }
      await child.ask('cancel')
    })
  return { data: await bench.interleave(Object.keys(CONTESTANTS), once, 2) }
}

const growth = (before, after, level) => ({
  grown_mb: after.rss_mb - before.rss_mb,
  each_kb: ((after.rss_mb - before.rss_mb) * KB) / level,
  heap_each_kb: ((after.heap_mb - before.heap_mb) * KB) / level,
})

const NOTE = `Resident size of the process beyond what it had warm (${WARM_RUNS} runs), with so many subagents in the middle of their first answer, ${WORK.tasks} a run, so that a transcript and a socket are part of it. The raw loop’s growth is what those two take. The last column is the heap of the thread that embeds the contestant, after a collection.`

export function show({ data }) {
  const cells = cellsOf(data).map(({ cell, data: rounds }) => {
    const all = compare(rounds)
    const column = (title, figure) => [title, (name) => all.over(name, figure)]
    return `${cell} live subagents:\n\n${byContestant(all, [
      column('grown by MB', (e) => e.grown_mb),
      column('KB a subagent', (e) => e.each_kb),
      ['beyond raw, KB', (name) => (name === all.floor ? '–' : all.beyond(name, all.floor, (e) => e.each_kb))],
      column('host heap, KB a subagent', (e) => e.heap_each_kb),
    ])}`
  })
  return `${NOTE}\n\n${cells.join('\n\n')}`
}

export const chart = ({ data }) => ({
  kind: 'lines',
  x: 'live subagents',
  y: 'grown by MB',
  rows: cellsOf(data).flatMap(({ cell, data: rounds }) => {
    const { names, over } = compare(rounds)
    return names.map((name) => ({ name, x: Number(cell), ...over(name, (e) => e.grown_mb) }))
  }),
})

export function short({ data }) {
  const { cell, data: rounds } = cellsOf(data).at(-1) ?? { data: [] }
  const { beyond, over, floor, troupe } = compare(rounds)
  return [
    [`memory of a live subagent beyond raw, KB, ${cell} live`, floor, beyond(troupe, floor, (e) => e.each_kb)],
    [`host heap of a live subagent, KB, ${cell} live`, '–', over(troupe, (e) => e.heap_each_kb)],
  ]
}
