import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ReadFileArguments, readFile } from '../../src/tools/read-file.ts'
import { HOST_WORK, type TempView, tempView } from '../sandbox/temp-view.ts'

const reading = suite<{ temp: TempView }>('read_file')

reading.before(async (context) => {
  context.temp = await tempView()
})
reading.after(({ temp }) => temp.remove())

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n')
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

type Row = {
  readonly name: string
  readonly file: string | Buffer
  readonly args?: Omit<ReadFileArguments, 'path'>
  readonly content: string
  readonly status?: 'error'
}

const rows: readonly Row[] = [
  { name: 'the whole file as it is', file: 'a\nb\n', content: 'a\nb\n' },
  { name: 'an empty file', file: '', content: '(empty)' },
  { name: 'an empty file with a wrong range', file: '', args: { start_line: 0 }, content: '(empty)' },
  { name: 'CRLF stays', file: 'a\r\nb\r\n', content: 'a\r\nb\r\n' },
  { name: 'nothing but a mark of the encoding', file: '\ufeff', content: '(empty)' },
  { name: 'other scripts', file: 'é🦌漢', content: 'é🦌漢' },
  { name: 'a mark of the encoding goes', file: '\ufeffa', content: 'a' },
  {
    name: 'bad bytes are shown as such',
    file: Buffer.from('ok \xff\xfe end, long enough', 'latin1'),
    content: 'ok \ufffd\ufffd end, long enough',
  },
  {
    name: 'controls are shown as pictures',
    file: `a\u001b[31mb${'.'.repeat(9000)}\0`,
    content: `a␛[31mb${'.'.repeat(9000)}␀`,
  },
  { name: 'UTF-16 is read', file: utf16('hi é🦌'), content: 'hi é🦌' },
  { name: 'lines 2 to 3', file: ten, args: { start_line: 2, end_line: 3 }, content: 'line 2\nline 3' },
  { name: 'from line 9', file: `${ten}\n`, args: { start_line: 9 }, content: 'line 9\nline 10' },
  { name: 'to line 2', file: ten, args: { end_line: 2 }, content: 'line 1\nline 2' },
  {
    name: 'the last line, and more than there is',
    file: ten,
    args: { start_line: 10, end_line: 99 },
    content: 'line 10',
  },
  { name: 'lines of a CRLF file', file: 'a\r\nb\r\nc\r\n', args: { start_line: 2, end_line: 2 }, content: 'b' },
  { name: 'an empty line', file: 'a\n\nc', args: { start_line: 2, end_line: 2 }, content: '(empty)' },
  // Source: CAT-079.
  { name: 'a line below 1', file: ten, args: { start_line: 0 }, content: '(start_line must be >= 1)' },
  { name: 'an end below 1', file: ten, args: { end_line: 0 }, content: '(end_line must be >= 1)' },
  {
    name: 'a range the wrong way round',
    file: ten,
    args: { start_line: 5, end_line: 2 },
    content: '(start_line > end_line — no lines in range)',
  },
  { name: 'a line beyond the end', file: ten, args: { start_line: 11 }, content: '(start_line exceeds file length)' },
  {
    name: 'the line after the last line end',
    file: `${ten}\n`,
    args: { start_line: 11 },
    content: '(start_line exceeds file length)',
  },
  {
    name: 'an image',
    file: png,
    status: 'error',
    content: 'Error: Cannot show f as text: it is a binary file (a PNG image, 16 bytes)',
  },
  {
    name: 'bytes',
    file: Buffer.from('a\0b'),
    status: 'error',
    content: 'Error: Cannot show f as text: it is a binary file (binary data, 3 bytes)',
  },
  {
    name: 'another encoding',
    file: Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1'),
    status: 'error',
    content: 'Error: Cannot show f as text: it is a binary file (binary data or text that is not UTF-8, 6 bytes)',
  },
]

for (const { name, file, args, content, status } of rows) {
  reading(name, async ({ temp }) => {
    await temp.put(`${HOST_WORK}/f`, file)
    assert.equal(await readFile({ path: 'f', ...args }, temp.context), { status: status ?? 'success', content })
  })
}

reading('a long file is cut with a mark, and no character is split', async ({ temp }) => {
  for (const file of ['x'.repeat(50_001), '🦌'.repeat(40_000), `x${'🦌'.repeat(40_000)}`]) {
    await temp.put(`${HOST_WORK}/long`, file)
    const { content } = await readFile({ path: 'long' }, temp.context)
    const mark =
      /\n\.\.\. \[truncated: showing first (\d+) of (\d+) chars\. Use start_line\/end_line to read a specific range\] \.\.\.$/.exec(
        content,
      )
    assert.is(Number(mark?.[2]), file.length)
    const shown = content.slice(0, mark?.index)
    assert.is(shown.length, Number(mark?.[1]))
    assert.ok(file.startsWith(shown) && content.length <= 50_000 && shown.length > 49_800)
    assert.not.match(shown.at(-1) ?? '', /[\ud800-\udbff]/)
  }
})

reading('exactly as much as fits is not cut', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/fits`, 'y'.repeat(50_000))
  assert.is((await readFile({ path: 'fits' }, temp.context)).content.length, 50_000)
  await temp.put(`${HOST_WORK}/fits`, `${'y'.repeat(50_000)}\r\nz\r\n`)
  assert.is((await readFile({ path: 'fits', end_line: 1 }, temp.context)).content, 'y'.repeat(50_000))
})

reading('lines and characters across the edges of chunks', async ({ temp }) => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `${i + 1} é🦌${'.'.repeat(i % 7)}`)
  await temp.put(`${HOST_WORK}/chunks`, lines.join('\n'))
  for (const line of [1, 5000, 12_345, 29_999, 30_000]) {
    const { content } = await readFile({ path: 'chunks', start_line: line, end_line: line }, temp.context)
    assert.is(content, lines[line - 1])
  }
})

reading('a huge file needs a range, and costs no memory', async ({ temp }) => {
  const path = join(temp.base, HOST_WORK, 'huge')
  await temp.put(`${HOST_WORK}/huge`, `first\n${'x'.repeat(1000)}\n`)
  const file = await open(path, 'a')
  const block = Buffer.alloc(1024 * 1024, 'abcdefg\n')
  for (let i = 0; i < 65; i++) await file.write(block)
  await file.close()
  const whole = await readFile({ path: 'huge' }, temp.context)
  assert.is(whole.status, 'error')
  assert.match(
    whole.content,
    /^Error: File is too large to read at once: huge \(\d+ bytes, at most 67108864\)\. Use start_line/,
  )
  const before = process.memoryUsage().arrayBuffers
  assert.is((await readFile({ path: 'huge', end_line: 1 }, temp.context)).content, 'first')
  assert.match((await readFile({ path: 'huge', start_line: 2 }, temp.context)).content, /of \d+\+ chars/)
  assert.is(
    (await readFile({ path: 'huge', start_line: 8_000_000, end_line: 8_000_000 }, temp.context)).content,
    'abcdefg',
  )
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024)
})

reading('a reading under way can be stopped', async ({ temp }) => {
  const stop = new AbortController()
  const reading = readFile({ path: 'huge', start_line: 8_000_000 }, { view: temp.view, signal: stop.signal })
  setTimeout(() => stop.abort(), 5)
  assert.is((await reading).content, 'Error: Stopped before it was done')
})

reading.run()
