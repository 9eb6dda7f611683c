import { fileURLToPath } from 'node:url'
import { compare } from '../lib/compare.mjs'
import { spawnChild } from '../lib/ipc.mjs'
import { table } from '../lib/table.mjs'

export const question = 'What do the operations cost that the design leans on?'
export const minutes = 1

const FILE = fileURLToPath(new URL('../primitives/measure.mjs', import.meta.url))

export async function run(bench) {
  const rounds = await bench.interleave([{ name: 'primitives' }], async (_, keep) => {
    const child = spawnChild(FILE)
    try {
      for (const operation of await child.ask('measure', { time: bench.quick ? 50 : 500 })) keep(operation)
    } finally {
      await child.stop()
    }
  })
  return { data: rounds }
}

const us = (e) => e.us

export function show({ data }) {
  const { names, over } = compare(data)
  return table(
    ['operation', 'µs, p50'],
    names.map((name) => [name, over(name, us)]),
  )
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return { kind: 'dots', x: 'µs an operation, p50', rows: names.map((name) => ({ name, ...over(name, us) })) }
}
