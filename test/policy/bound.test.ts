import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bound, head, isBlank, oneLine, tail } from '../../src/policy/bound.ts'

const deer = '\u{1F98C}'

const cuts: readonly [name: string, text: string, head: string, tail: string][] = [
  ['what fits stays whole', 'abc', 'abc', 'abc'],
  ['what is longer is cut', 'abcdef', 'abc', 'def'],
  ['a pair at the cut goes as a whole', `ab${deer}cd`, 'ab', `cd`],
  ['a pair beside the cut stays', `a${deer}bc${deer}d`, `a${deer}`, `${deer}d`],
  ['a pair across both cuts leaves one less', `${deer}${deer}`, deer, deer],
]

for (const [name, text, first, last] of cuts) {
  test(`head and tail of 3: ${name}`, () => {
    assert.is(head(text, 3), first)
    assert.is(tail(text, 3), last)
  })
}

const bounds: readonly [name: string, text: string, max: number, expected: string][] = [
  ['exactly the cap stays', 'a'.repeat(2000), 2000, 'a'.repeat(2000)],
  [
    'two thirds head, a mark, the rest tail',
    'A'.repeat(2000) + 'z'.repeat(2000),
    2000,
    `${'A'.repeat(1333)}\n...\n${'z'.repeat(662)}`,
  ],
  ['status-07: a cap of 0', 'A'.repeat(100), 0, ''],
  ['status-07: a cap of 1', 'A'.repeat(100), 1, 'A'],
  ['status-07: a cap of 15 has room for no tail', 'A'.repeat(100), 15, 'A'.repeat(15)],
  ['a cap of 16 has no room for a tail', 'A'.repeat(100), 16, `${'A'.repeat(10)}\n...\nA`],
  ['a cap smaller than the mark', 'abcdefgh', 5, 'abcde'],
]

for (const [name, text, max, expected] of bounds) {
  test(`bound: ${name}`, () => assert.is(bound(text, max), expected))
}

test('bound never splits a pair and never passes the cap, wherever the pairs lie', () => {
  for (const shift of ['', 'x']) {
    for (let max = 0; max <= 40; max++) {
      const cut = bound(shift + deer.repeat(60), max)
      assert.ok(cut.length <= max, `${max}`)
      assert.ok(cut.isWellFormed(), `${max}`)
    }
  }
})

const lines: readonly [name: string, text: string, expected: string][] = [
  ['white space becomes one space', ' a\n\n b\tc ', 'a b c'],
  ['exactly the limit stays', '0123456789', '0123456789'],
  ['longer text ends in an ellipsis', '0123456789a', '012345678…'],
  ['a pair at the cut goes as a whole', `01234567${deer}89`, '01234567…'],
  ['white space before the text does not use it up', `${' '.repeat(500)}text`, 'text'],
  ['text after much white space leaves its ellipsis', `a${'\n'.repeat(500)}b`, 'a…'],
  ['nothing stays nothing', ' \n ', ''],
]

for (const [name, text, expected] of lines) {
  test(`one line of 10: ${name}`, () => assert.is(oneLine(text, 10), expected))
}

test('one line of a very long text takes no time', () => {
  const started = performance.now()
  assert.is(oneLine(' \n'.repeat(4_000_000), 200), '')
  assert.is(oneLine(`${'a '.repeat(4_000_000)}`, 10), 'a a a a a…')
  assert.ok(performance.now() - started < 1000)
})

test('blank is what holds no visible character', () => {
  for (const text of ['', ' ', '\n\t ', '\u00a0\ufeff']) assert.ok(isBlank(text), JSON.stringify(text))
  for (const text of ['a', ' . ', deer]) assert.not.ok(isBlank(text), text)
})

test.run()
