import { compareVariants, variants } from '../lib/variants.mjs'

export const question = 'What does it cost to see every state and every word?'
export const minutes = 2

const NOTE = 'Variants of Troupe: what a run’s `include` asks for beside the usual events.'
const INCLUDES = [[], ['state'], ['task_delta'], ['state', 'task_delta']]

export const run = (bench) =>
  variants(
    bench,
    INCLUDES.map((include) => ({ name: include.join(' + ') || 'none', work: { include } })),
    { runs: bench.quick ? 10 : 100 },
  )

export const { show, chart, short } = compareVariants('none', NOTE)
