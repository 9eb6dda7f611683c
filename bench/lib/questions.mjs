/** In the order in which they are asked and reported. */
const names = [
  'load',
  'host-latency',
  'delegation',
  'cpu-tool',
  'isolated',
  'endless',
  'cancel',
  'memory',
  'growth',
  'startup',
  'subscribers',
  'inspection',
  'primitives',
]

export const questions = { names, load: (name) => import(`../questions/${name}.mjs`) }
