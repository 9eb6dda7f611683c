import { compare } from '../lib/compare.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'How long does a fresh process take to its first model request?'
export const minutes = 1

const CONTESTANTS = ['raw', 'troupe', 'troupe-chatopenai', 'ai', 'openai-agents', 'langchain', 'deepagents']

export async function run(bench) {
  return { data: await bench.interleave(CONTESTANTS, ({ contestant }) => once(bench, contestant)) }
}

async function once({ mock, wording, contestant }, name) {
  await wording()
  await mock.ask('reset', {})
  return contestant(name, { atOnce: true }, async (_, { spawned, before, after }) => {
    const { first } = await mock.ask('stats')
    return { from_spawn: first - spawned, ready: after - before, from_loaded: first - before }
  })
}

export function show({ data }) {
  const all = compare(data)
  const column = (title, figure) => [title, (name) => all.over(name, figure)]
  return byContestant(all, [
    column('process started → first request ms', (e) => e.from_spawn),
    column('modules loaded → ready ms', (e) => e.ready),
    column('modules loaded → first request ms', (e) => e.from_loaded),
  ])
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return {
    kind: 'bars',
    x: 'process started → first model request, ms',
    rows: names.map((name) => ({ name, ...over(name, (e) => e.from_spawn) })),
  }
}

export const short = ({ data }) => [
  ['createRuntime → first model request, ms', '–', compare(data).over('troupe', (e) => e.from_loaded)],
]
