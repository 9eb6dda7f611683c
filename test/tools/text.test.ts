import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cutHead, showControls, showGiven, showPath } from '../../src/tools/text.ts'

const HINT = 'Use start_line/end_line to read a specific range'

// Source: CAT-074.
test('a cut text ends in a mark, and both fit', () => {
  const cut = cutHead('x'.repeat(200), 1000, 200, HINT)
  assert.is(cut.length, 198)
  assert.ok(cut.endsWith(`x\n... [truncated: showing first 96 of 1000 chars. ${HINT}] ...`))
})

test('where the mark does not fit there is none, and 0 means no limit', () => {
  assert.is(cutHead('y'.repeat(20), 100, 20, HINT), 'y'.repeat(20))
  assert.is(cutHead('z'.repeat(100), 100, 0, HINT), 'z'.repeat(100))
  assert.is(cutHead('🦌'.repeat(10), 100, 19, HINT), '🦌'.repeat(9))
})

test('no cut splits a character', () => {
  for (let limit = 100; limit < 120; limit++) {
    const cut = cutHead('🦌'.repeat(500), 1000, limit, 'x')
    assert.not.match(cut, /[\ud800-\udbff](?![\udc00-\udfff])/)
  }
})

test('controls are shown one for one', () => {
  assert.is(showControls('a\0b\tc\r\nd\u001b\u007f\u009b'), 'a␀b\tc\r\nd␛␡\ufffd')
  assert.is(showPath('a\nb\td'), 'a␊b␉d')
})

test('a path as it was given', () => {
  assert.is(showGiven('p'.repeat(400)), `${'p'.repeat(300)}…`)
  assert.is(showGiven('a\ud800b'), 'a\ufffdb')
  assert.equal([null, undefined, 1, ['a'], ''].map(showGiven), [
    '(null)',
    '(undefined)',
    '(number)',
    '(a list)',
    '(empty)',
  ])
})

test.run()
