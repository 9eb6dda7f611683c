import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fold, tail } from '../../src/cli/view/fold.ts'
import { clean, cut, lineOf, oneLine, pad, widthOf } from '../../src/cli/view/text.ts'
import { toolLine } from '../../src/cli/view/tool-line.ts'

const ESC = '\u001b'

const cleaned = [
  { name: 'plain text stays', text: 'a b\n\tc', is: 'a b\n\tc' },
  { name: 'colours go', text: `${ESC}[31mred${ESC}[0m`, is: 'red' },
  { name: 'cursor movement goes', text: `a${ESC}[2J${ESC}[10;5Hb`, is: 'ab' },
  { name: 'a window title goes whole', text: `${ESC}]0;evil\u0007ok`, is: 'ok' },
  { name: 'a link goes, its text stays', text: `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, is: 'text' },
  { name: 'a title that never ends loses only its power', text: `${ESC}]0;evil`, is: '0;evil' },
  { name: 'a device string goes whole', text: `a${ESC}Pq#0${ESC}\\b`, is: 'ab' },
  { name: 'C1 controls go', text: 'a\u009b31mb\u0085c', is: 'abc' },
  { name: 'backspace, bell and return go', text: 'safe\b\b\u0007\rx', is: 'safex' },
  { name: 'line ends of Windows become ours', text: 'a\r\nb', is: 'a\nb' },
  { name: 'a lone escape goes', text: `a${ESC}`, is: 'a' },
  { name: 'half a character is replaced', text: 'a\ud83d', is: 'a\ufffd' },
]
for (const { name, text, is } of cleaned) test(`clean: ${name}`, () => assert.is(clean(text), is))

test('clean: a long run of openings takes no long time', () => {
  const started = performance.now()
  clean(`${ESC}]`.repeat(200_000))
  clean(`${ESC}[${';'.repeat(200_000)}`)
  clean(`${ESC}]${'a'.repeat(400_000)}`)
  assert.ok(performance.now() - started < 1000)
})

const lines = [
  { name: 'line ends become spaces', text: ' a\n\n b\tc ', is: 'a b c' },
  { name: 'marks that turn the direction go', text: 'a\u202egpj.exe\u2066b', is: 'agpj.exeb' },
]
for (const { name, text, is } of lines) test(`oneLine: ${name}`, () => assert.is(oneLine(text), is))

const parts = [
  { name: 'a lone escape at its end', part: `a${ESC}`, is: 'no "a" here' },
  { name: 'a control sequence without end', part: `a${ESC}[3`, is: 'no "a3" here' },
  { name: 'the same in one character', part: 'a\u009b', is: 'no "a" here' },
  { name: 'marks and line ends', part: 'a\u202e\nb', is: 'no "a b" here' },
]
for (const { name, part, is } of parts)
  test(`lineOf: ${name} takes nothing of ours`, () => assert.is(lineOf`no "${part}" here`, is))

test('toolLine: the name of a tool takes nothing of what it is given', () =>
  assert.is(toolLine(`ls${ESC}`, { path: `x${ESC}` }), 'ls x'))

const cuts = [
  { name: 'what fits stays', text: 'abc', width: 3, is: 'abc' },
  { name: 'what does not ends in an ellipsis', text: 'abcd', width: 3, is: 'ab…' },
  { name: 'a wide character is not halved', text: '日本語', width: 4, is: '日…' },
  { name: 'an emoji of several code points stays whole', text: '👨‍👩‍👧‍👦abc', width: 4, is: '👨‍👩‍👧‍👦a…' },
  { name: 'a flag counts two', text: '🇩🇪🇫🇷', width: 3, is: '🇩🇪…' },
  { name: 'an accent counts nothing', text: 'e\u0301e\u0301', width: 2, is: 'e\u0301e\u0301' },
  { name: 'one column holds the ellipsis', text: 'abc', width: 1, is: '…' },
  { name: 'no column holds nothing', text: 'abc', width: 0, is: '' },
  { name: 'a pile of accents is taken down', text: `a${'\u0301'.repeat(100)}b`, width: 2, is: 'ab' },
]
for (const { name, text, width, is } of cuts) {
  test(`cut: ${name}`, () => {
    assert.is(cut(text, width), is)
    assert.ok(widthOf(cut(text, width)) <= width)
  })
}

test('pad fills and cuts to exactly the width', () => {
  for (const text of ['', 'ab', '日本語', '👍🏽 well done']) {
    for (const side of ['left', 'right'] as const) assert.is(widthOf(pad(text, 6, side)), 6)
  }
  assert.is(pad('ab', 4, 'right'), '  ab')
})

const tails = [
  { name: 'the last rows', text: 'a\nb\nc', width: 10, rows: 2, is: ['b', 'c'] },
  { name: 'long lines fold', text: 'abcdef', width: 4, rows: 3, is: ['abcd', 'ef'] },
  {
    name: 'they fold between words, below their indent',
    text: 'x\n  - one two three',
    width: 9,
    rows: 3,
    is: ['  - one', '  two', '  three'],
  },
  { name: 'blank lines do not count', text: 'a\n\n\nb\n', width: 4, rows: 3, is: ['a', 'b'] },
  { name: 'no room, no rows', text: 'a', width: 4, rows: 0, is: [] },
  { name: 'wide characters fold by columns', text: '日本語', width: 4, rows: 3, is: ['日本', '語'] },
]
for (const { name, text, width, rows, is } of tails)
  test(`tail: ${name}`, () => assert.equal(tail(text, width, rows), is))

const folds = [
  { name: 'a line that fits stays', line: 'error: a', width: 10, is: ['error: a'] },
  {
    name: 'the rest hangs below the text',
    line: 'warning   one two three',
    width: 21,
    is: ['warning   one two', '          three'],
  },
  { name: 'without bound nothing folds', line: '  a: b c', width: Number.POSITIVE_INFINITY, is: ['  a: b c'] },
  {
    name: 'no hanging where it would take half the room',
    line: 'warning   one two',
    width: 12,
    is: ['warning one', 'two'],
  },
  { name: 'an empty line stays one', line: '', width: 4, is: [''] },
]
for (const { name, line, width, is } of folds) test(`fold: ${name}`, () => assert.equal(fold(line, width), is))

test.run()
