import { compare } from '../lib/compare.mjs'
import { table } from '../lib/table.mjs'

export const question = 'How long does a fresh process take to its first model request?'

const CONTESTANTS = ['raw', 'troupe', 'ai']

export async function run(bench) {
  return { data: await bench.interleave(CONTESTANTS, (name) => once(bench, name)) }
}

async function once({ mock, wording, contestant }, name) {
  await wording()
  await mock.ask('reset', {})
  return contestant(name, { atOnce: true }, async (_, started) => ({ ...started, mock: await mock.ask('stats') }))
}

export function show({ data }) {
  const { names, over } = compare(data)
  const columns = [
    'contestant',
    'process started → first request ms',
    'modules loaded → ready ms',
    'modules loaded → first request ms',
  ]
  const shown = [(e) => e.mock.first - e.spawned, (e) => e.after - e.before, (e) => e.mock.first - e.before]
  return table(
    columns,
    names.map((name) => [name, ...shown.map((f) => over(name, f))]),
  )
}
