import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCapture } from '../../../src/sandbox/commands/capture.ts'

const read = (chunks: readonly Buffer[], limit?: number): string => {
  const capture = createCapture(limit)
  for (const chunk of chunks) capture.feed(chunk)
  return capture.end()
}

test('characters that come byte by byte are whole', () =>
  assert.is(read([...Buffer.from('é🦌\n')].map((byte) => Buffer.from([byte]))), 'é🦌'))

test('bad bytes become U+FFFD, also at the end', () => {
  assert.is(read([Buffer.from('ok \xff\xfe end\n', 'latin1')]), 'ok \ufffd\ufffd end')
  assert.is(read([Buffer.from('caf\xe9', 'latin1')]), 'caf\ufffd')
})

test('line ends at the end go, all others stay', () => assert.is(read([Buffer.from('\n a \n\nb\n\n')]), '\n a \n\nb'))

test('binary data is described', () => {
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256))
  assert.is(read([bytes]), '(binary data, 4096 bytes: not shown)')
  // Names between NULs are text.
  assert.is(read([Buffer.from('one.txt\0two.txt\0'.repeat(20))]).slice(0, 16), 'one.txt␀two.txt␀')
})

test('of too much the beginning and the end are kept, with a mark', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => Buffer.from(`line ${i}\n`))
  const whole = lines.reduce((length, line) => length + line.length, 0)
  const text = read(lines, 1000)
  assert.ok(text.startsWith('line 0\nline 1\n'))
  assert.ok(text.endsWith('line 9999'))
  const left = Number(/\[(\d+) chars in the middle were not kept\]/.exec(text)?.[1])
  // The last line end is not shown.
  assert.is(text.replace(/\n\.\.\. \[.*\] \.\.\.\n/, '').length + left, whole - 1)
  assert.ok(text.length < 1100)
})

test('one chunk over the limit is cut as well', () => {
  const text = read([Buffer.from(`HEAD${'x'.repeat(5000)}TAIL`)], 1000)
  assert.match(text, /^HEADx{496}\n\.\.\. \[4008 chars in the middle were not kept\] \.\.\.\nx{496}TAIL$/)
  assert.ok(read([Buffer.from('🦌'.repeat(999))], 101).isWellFormed())
})

test('what fits just so is not cut', () => {
  const text = 'x'.repeat(1000)
  assert.is(read([Buffer.from(text)], 1000), text)
})

test.run()
