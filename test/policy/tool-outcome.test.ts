import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, outcomeOf, refusal } from '../../src/policy/tool-outcome.ts'

const deer = '\u{1F98C}'
const trap = (): never => {
  throw new Error('hands off')
}
const traps = ['name', 'message', 'content', 'status'].map((key) => [key, { get: trap, enumerable: true }])
const trapped = Object.defineProperties({}, Object.fromEntries(traps))
const jumpy = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const circle: Record<string, unknown> = {}
circle['self'] = circle
const UNSHOWN = 'a value that cannot be shown'

const values: readonly [what: string, value: unknown, content: string][] = [
  ['a text', 'a\nb', 'a\nb'],
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a number', 42, '42'],
  ['false', false, 'false'],
  ['an object', { a: [1] }, '{"a":[1]}'],
  ['a message with text', { content: 'said', type: 'tool' }, 'said'],
  ['a message with blocks', { content: [{ type: 'text', text: 'a' }, 'b'] }, 'a\nb'],
  [
    'blocks',
    [{ type: 'text', text: 'a' }, { type: 'image', url: 'u' }, 3, null],
    'a\n{"type":"image","url":"u"}\n3\nnull',
  ],
  ['content that is neither', { content: 7 }, '{"content":7}'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['a big integer', 10n, UNSHOWN],
  ['a circular value', circle, UNSHOWN],
  ['a circular block', [circle, 'b'], `${UNSHOWN}\nb`],
  ['an object whose JSON throws', { toJSON: trap }, UNSHOWN],
  ['getters that throw', trapped, UNSHOWN],
  ['a proxy that throws', jumpy, UNSHOWN],
  ['a proxy that is revoked', revoked, UNSHOWN],
  ['a list whose getter throws', Object.defineProperty(['a'], 0, { get: trap }), UNSHOWN],
  ['half a pair', `a${deer[0]}`, 'a\ufffd'],
]

for (const [what, value, content] of values) {
  test(`a tool gave ${what}`, () => assert.equal(outcomeOf(value), { status: 'success', content }))
}

test('a message may say that the call failed', () => {
  assert.equal(outcomeOf({ status: 'error', content: 'no' }), { status: 'error', content: 'no' })
})

test('a result is cut at 1 MiB, beside a pair, and says so', () => {
  const max = 1024 * 1024
  assert.is(outcomeOf('x'.repeat(max)).content.length, max)
  const { content } = outcomeOf(`${'x'.repeat(max - 1)}${deer}`)
  assert.ok(content.isWellFormed())
  assert.is(content.slice(max - 1), `\n... [truncated: showing first ${max - 1} of ${max + 1} chars] ...`)
})

class CustomError extends Error {
  override readonly name = 'CustomError'
}

const failures: readonly [what: string, thrown: unknown, how: string][] = [
  ['an error', new TypeError('no such file'), 'TypeError: no such file'],
  ['an error of its own', new CustomError(' bad \n'), 'CustomError: bad'],
  ['a sentence', new Error('No "key".'), 'Error: No "key"'],
  ['a sentence that trails off', new Error('well...'), 'Error: well...'],
  ['an error without a message', new RangeError(), 'RangeError'],
  ['an abort', new DOMException('stopped', 'AbortError'), 'AbortError: stopped'],
  ['a text', 'just so', 'string: just so'],
  ['an empty text', '', 'string'],
  ['null', null, 'null'],
  ['undefined', undefined, 'undefined'],
  ['a number', 7, 'number'],
  ['a plain object', { code: 1 }, 'object'],
  ['an object with a message', { name: 'E', message: 'm' }, 'E: m'],
  ['a message that is no text', { name: '', message: { deep: true } }, 'object'],
  ['getters that throw', trapped, 'object'],
  ['a proxy that throws', jumpy, 'object'],
  ['a proxy that is revoked', revoked, 'object'],
  ['a circular value', circle, 'object'],
  ['a message at the bound', new Error('e'.repeat(500)), `Error: ${'e'.repeat(500)}`],
  ['a message over the bound', new Error('e'.repeat(501)), `Error: ${'e'.repeat(497)}...`],
  ['a pair at the cut', new Error(`${'e'.repeat(496)}${deer.repeat(9)}`), `Error: ${'e'.repeat(496)}...`],
  ['half a pair', new Error(`e${deer[1]}`), 'Error: e\ufffd'],
]

for (const [what, thrown, how] of failures) {
  test(`a tool threw ${what}`, () => {
    const content = `Error: Tool 'look' failed with ${how}. Continue with available context, or choose an alternative tool.`
    assert.equal(failureOf('look', thrown), { status: 'error', content })
  })
}

test('a refusal begins with Error and is well formed', () => {
  assert.equal(refusal(`no ${deer[0]}`), { status: 'error', content: 'Error: no \ufffd' })
})

test.run()
