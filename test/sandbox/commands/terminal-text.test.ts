import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTerminalText } from '../../../src/sandbox/commands/terminal-text.ts'

const read = (pieces: readonly string[]): string => {
  let text = ''
  const terminal = createTerminalText((told) => {
    text += told
  })
  for (const piece of pieces) terminal.feed(piece)
  terminal.end()
  return text
}

const bar = Array.from({ length: 101 }, (_, i) => `\rprogress ${i}%`).join('')

const rows: readonly (readonly [name: string, written: string, read: string])[] = [
  ['plain text', 'a\nb\n', 'a\nb\n'],
  ['text without a line end', 'a\nb', 'a\nb'],
  ['nothing', '', ''],
  ['colours', '\u001b[1;32mgreen\u001b[0m\n', 'green\n'],
  ['private modes', '\u001b[?25l\u001b[2K\u001b[>4;1m\u001b[=0cx\n', 'x\n'],
  ['a title, ended by BEL', '\u001b]0;title\u0007x\n', 'x\n'],
  ['a title, ended by ST', '\u001b]0;title\u001b\\x\n', 'x\n'],
  ['a link', '\u001b]8;;http://x\u0007here\u001b]8;;\u0007\n', 'here\n'],
  ['a device string', '\u001bPq#0;2;0;0\nmore\u001b\\x\n', 'x\n'],
  ['an application string', '\u001b_Gf=100;AAAA\u001b\\x\n', 'x\n'],
  ['short sequences', '\u001b(B\u001b7\u001b8\u001b=\u001b>\u001bMx\n', 'x\n'],
  ['an unfinished title', '\u001b]0;title\nx\n', '␛]0;title\nx\n'],
  ['an unfinished sequence at the end', 'x\u001b[3', 'x[3'],
  ['an escape alone at the end', 'x\u001b', 'x'],
  ['a progress bar', `${bar}\n`, 'progress 100%\n'],
  ['a progress bar that is wiped', `${bar}\u001b[K\rdone\n`, 'done\n'],
  ['lines of Windows', 'line1\r\nline2\r\n', 'line1\nline2\n'],
  ['more returns than one', 'line1\r\r\nline2\r\r\r\n', 'line1\nline2\n'],
  ['an empty line of Windows', 'a\r\n\r\nb\r\n', 'a\n\nb\n'],
  ['overstruck text', 'N\bNA\bAM\bME\bE u\b_\n', 'NAME _\n'],
  ['backspaces from the start', '\b\b\bx\n', 'x\n'],
  ['controls', 'a\u0000b\u0007c\u000bd\u007f\n', 'a␀b␇c␋d␡\n'],
  ['tabs', 'a\tb\n', 'a\tb\n'],
  ['characters beyond 16 bits', 'é🦌\u001b[0m🦌\r🦌\b🦌\n', '🦌\n'],
  ['C1 of a text in the wrong encoding', 'â€\u009d x\u0007\n', 'â€\ufffd x␇\n'],
]

for (const [name, written, expected] of rows) {
  test(`${name}: whole, and cut anywhere`, () => {
    assert.is(read([written]), expected)
    for (let at = 1; at < written.length; at++) {
      assert.is(read([written.slice(0, at), written.slice(at)]), expected, `cut at ${at}`)
    }
    assert.is(read(written.split('')), expected, 'one by one')
  })
}

test('a line that never ends is told and not held', () => {
  let told = 0
  const terminal = createTerminalText((text) => {
    told += text.length
  })
  for (let i = 0; i < 100; i++) terminal.feed('x'.repeat(10_000))
  assert.ok(told > 900_000)
  terminal.end()
  assert.is(told, 1_000_000)
})

test('a bar that never ends is held as its last state', () => {
  let text = ''
  const terminal = createTerminalText((told) => {
    text += told
  })
  for (let i = 0; i < 100_000; i++) terminal.feed(`step ${i}\r`)
  terminal.feed('\nend')
  terminal.end()
  assert.is(text, 'step 99999\nend')
})

test('a sequence that never ends is given up', () => {
  const text = read(['a\u001bP', ...Array.from({ length: 100 }, () => 'x'.repeat(1000)), '\nend'])
  assert.ok(text.startsWith('a␛Px') && text.endsWith('x\nend'))
})

test.run()
