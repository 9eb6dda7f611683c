import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolCall } from '../../src/contract/messages.ts'
import { uniqueCalls } from '../../src/policy/call-ids.ts'

/** `a:1` is a call with id `a` and argument 1. */
const callsOf = (text: string): ToolCall[] =>
  text.split(' ').map((part) => {
    const [id = '', value = ''] = part.split(':')
    return { id, name: 'ls', args: { value } }
  })

const rows: readonly [rule: string, seen: string, calls: string, unique: string][] = [
  ['ids of their own stay', '', 'a:1 b:1', 'a:1 b:1'],
  ['an exact replay in one response is dropped', '', 'a:1 a:1 a:1', 'a:1'],
  ['another call under the same id gets a number', '', 'a:1 a:2 a:3', 'a:1 a_2:2 a_3:3'],
  ['an id of an earlier response gets a number', 'a', 'a:1', 'a_2:1'],
  ['so does the same call, asked again in a later response', 'a b', 'a:1 b:1', 'a_2:1 b_2:1'],
  ['a number that is taken is passed over', 'a a_2', 'a:1', 'a_3:1'],
  ['an id that looks numbered collides with nothing', '', 'a:1 a:2 a_2:3', 'a:1 a_2:2 a_2_2:3'],
  ['an empty id is an id', '', ':1 :2', ':1 _2:2'],
]

for (const [rule, before, calls, expected] of rows) {
  test(rule, () => {
    const seen = new Set(before.split(' ').filter(Boolean))
    const unique = uniqueCalls(callsOf(calls), seen)
    assert.is(unique.map(({ id, args }) => `${id}:${args['value']}`).join(' '), expected)
    for (const { id } of unique) assert.ok(seen.has(id), id)
  })
}

test('calls differ by name and by why they are invalid, too', () => {
  const call = { id: 'a', name: 'ls', args: {} }
  const calls = [call, { ...call, name: 'grep' }, { ...call, invalid: 'no JSON' }, { ...call }]
  assert.equal(
    uniqueCalls(calls, new Set()).map(({ id }) => id),
    ['a', 'a_2', 'a_3'],
  )
})

test.run()
