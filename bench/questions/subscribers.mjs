import { compareVariants, variants } from '../lib/variants.mjs'

export const question = 'What does a run’s reader cost, and one that is slow, stuck or not there?'
export const minutes = 2

const NOTE =
  'Variants of Troupe: `reads` iterates over the run as a service does; `absent`: nobody does, the result alone is awaited; `stuck` takes one event of `run.watch()` and never another; `slow` takes one each 20 ms.'
const READERS = ['reads', 'absent', 'stuck', 'slow']

export const run = (bench) =>
  variants(
    bench,
    READERS.map((reader) => ({ name: reader, work: { reader } })),
    { runs: bench.quick ? 10 : 333 },
  )

export const { show, chart, short } = compareVariants('reads', NOTE)
