import type { Chance } from '../../support/random.ts'

/** A call as a model means it. */
export interface MeantCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a model means to say, whatever its provider makes of it. */
export interface Meant {
  readonly text: string
  readonly calls: readonly MeantCall[]
  readonly reasoning: string
}

const TEXTS = [
  '',
  'Hello',
  'line\nline\r\n\n',
  'data: [DONE]\n\n',
  '{"choices":[]}',
  '日本語 🦌 é',
  '"\\ \u2028',
  ' : x',
]
const VALUES: readonly unknown[] = [
  1,
  -2.5e3,
  true,
  null,
  '',
  'x',
  '[1,2]',
  '{"a":1}',
  '}{',
  '日本 🦌',
  ['a', 2],
  { b: { c: '"' } },
]
const NAMES = ['read', 'write', 'ping']

const textOf = (chance: Chance): string => Array.from({ length: chance.below(4) }, () => chance.pick(TEXTS)).join('')

const argsOf = (chance: Chance): MeantCall['args'] =>
  Object.fromEntries(Array.from({ length: chance.below(4) }, (_, i) => [`k${i}`, chance.pick(VALUES)]))

/** Every call is told from its neighbours by its arguments, so that a mixed-up one shows. */
export const meantBy = (chance: Chance): Meant => ({
  text: textOf(chance),
  calls: Array.from({ length: chance.below(4) }, (_, i) => ({
    id: `call_${i}`,
    name: chance.pick(NAMES),
    args: chance.often(0.15) ? {} : { n: i, ...argsOf(chance) },
  })),
  reasoning: chance.often(0.2) ? textOf(chance) : '',
})
