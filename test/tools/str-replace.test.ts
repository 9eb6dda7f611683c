import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { strReplace } from '../../src/tools/str-replace.ts'
import { writeFile } from '../../src/tools/write-file.ts'
import { HOST_WORK, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const replacing = suite<{ temp: TempView }>('str_replace')

replacing.before.each(async (context) => {
  context.temp = await tempView()
})
replacing.after.each(({ temp }) => temp.remove())

const host = ({ base }: TempView, path = 'f'): string => join(base, HOST_WORK, path)
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const utf16be = (text: string): Buffer => utf16(text).swap16()

interface Row {
  readonly name: string
  readonly file: string | Buffer
  readonly old: string
  readonly new: string
  readonly all?: true
  readonly is: string | Buffer
}

const changed: readonly Row[] = [
  { name: 'the only place', file: 'a b c', old: 'b', new: 'x', is: 'a x c' },
  { name: 'several lines', file: 'a\n  b\nc\n', old: '  b\nc', new: '  d', is: 'a\n  d\n' },
  { name: 'an empty new text takes the old one out', file: 'a b c', old: ' b', new: '', is: 'a c' },
  { name: 'the whole file', file: 'all', old: 'all', new: '', is: '' },
  { name: 'all places', file: 'a,a,a', old: 'a', new: 'bb', all: true, is: 'bb,bb,bb' },
  { name: 'all places, of which there is one', file: 'a', old: 'a', new: 'b', all: true, is: 'b' },
  { name: 'all places, from the left', file: 'aaaaa', old: 'aa', new: 'b', all: true, is: 'bba' },
  { name: 'all places, though the new text holds the old', file: 'xx', old: 'x', new: 'xx', all: true, is: 'xxxx' },
  { name: 'what a replacement pattern would mean', file: 'a', old: 'a', new: "$& $1 $$ $` $'", is: "$& $1 $$ $` $'" },
  { name: 'what a regular expression would mean', file: 'a.*b', old: '.*', new: '\\d', is: 'a\\db' },
  { name: 'characters of several bytes', file: 'é🦌x', old: '🦌', new: '🐂', is: 'é🐂x' },
  { name: 'a byte order mark stays', file: '\ufeffa\n', old: 'a', new: 'b', is: '\ufeffb\n' },
  {
    name: 'bytes that are not UTF-8 stay',
    file: Buffer.from('caf\xe9 = 1 # a long enough line of text\n', 'latin1'),
    old: '= 1',
    new: '= 2',
    is: Buffer.from('caf\xe9 = 2 # a long enough line of text\n', 'latin1'),
  },
  { name: 'UTF-16', file: utf16('a\r\nb'), old: 'a\nb', new: 'é\n', is: utf16('é\r\n') },
  { name: 'UTF-16, high byte first', file: utf16be('ab'), old: 'b', new: 'c', is: utf16be('ac') },
  // Across the first two stand the bytes of 'A' as well.
  {
    name: 'UTF-16, at whole characters only',
    file: utf16('\u4161\u6100A'),
    old: 'A',
    new: 'B',
    is: utf16('\u4161\u6100B'),
  },
  { name: 'CRLF, meant by LF', file: 'a\r\nb\r\n', old: 'a\nb', new: 'x\ny\nz', is: 'x\r\ny\r\nz\r\n' },
  { name: 'CRLF, meant by CRLF', file: 'a\r\nb\r\n', old: 'a\r\nb', new: 'x\r\ny', is: 'x\r\ny\r\n' },
  { name: 'CRLF, in the new text alone', file: 'a\r\nb\r\n', old: 'b', new: 'b\nc', is: 'a\r\nb\r\nc\r\n' },
  { name: 'CRLF, an old text that is a line break', file: 'a\r\nb', old: '\n', new: ' ', is: 'a b' },
  { name: 'LF, meant by CRLF', file: 'a\nb\n', old: 'a\r\nb', new: 'x\r\ny', is: 'x\ny\n' },
  { name: 'LF, and CRLF that is wanted', file: 'a\nb\n', old: 'a', new: 'a\r', is: 'a\r\nb\n' },
  { name: 'both line ends, the text as written', file: 'a\nb\r\nc', old: 'a\nb', new: 'x\ny', is: 'x\ny\r\nc' },
  { name: 'both line ends, the text at the other', file: 'a\nb\r\nc', old: 'b\nc', new: 'x\ny', is: 'a\nx\r\ny' },
  { name: 'a NUL far behind', file: `a${'x'.repeat(9000)}\0`, old: 'a', new: 'b', is: `b${'x'.repeat(9000)}\0` },
]

for (const { name, file, old, new: fresh, all, is } of changed) {
  replacing(name, async ({ temp }) => {
    await temp.put(`${HOST_WORK}/f`, file)
    const args = { path: 'f', old_str: old, new_str: fresh, replace_all: all }
    const { status, content, files } = await strReplace(args, temp.context)
    assert.match(content, all ? /^OK \(places changed: \d+\)$/ : /^OK$/)
    assert.is(status, 'success')
    assert.equal(files, [`${WORK}/f`])
    assert.equal(await readFile(host(temp)), Buffer.from(is))
  })
}

interface Refused {
  readonly name: string
  readonly file?: string | Buffer
  readonly old: string
  readonly new?: string
  readonly all?: true
  readonly says: RegExp
}

const MEGABYTES = 1024 * 1024

const refused: readonly Refused[] = [
  {
    name: 'no place',
    file: 'a\n\tb\n',
    old: '    b',
    says: /^Error: String to replace not found in file: f\. Nothing was changed\. .*indentation.*read the file again/,
  },
  { name: 'an empty file', file: '', old: 'a', says: /^Error: String to replace not found in file: f\./ },
  {
    name: 'what read_file shows for bytes that are no text',
    file: Buffer.from('caf\xe9 = 1 # a long enough line of text\n', 'latin1'),
    old: 'caf\ufffd',
    says: /not found in file: f\..*stand for bytes that are not text/,
  },
  {
    name: 'several places, by their lines',
    file: 'x\ny\nx x\n',
    old: 'x',
    says: /^Error: old_str is at 3 places in f, on lines 1, 3, 3\. Nothing was changed\. .*replace_all: true/,
  },
  { name: 'places that overlap', file: 'aaa', old: 'aa', says: /at 2 places in f, on lines 1, 1\./ },
  {
    name: 'many places',
    file: 'x\n'.repeat(50),
    old: 'x',
    says: /at 50 places in f, on lines 1, 2, [^x]* 10 and more\./,
  },
  {
    name: 'far too many places',
    file: 'x\n'.repeat(10_001),
    old: 'x',
    all: true,
    says: /at more than 10000 places in f\. Nothing was changed\./,
  },
  {
    name: 'an empty old text',
    file: 'a',
    old: '',
    says: /^Error: old_str is empty.* Nothing was changed\. .*to insert.*append: true/,
  },
  { name: 'the same text', file: 'a', old: 'a', new: 'a', says: /^Error: old_str and new_str are the same\. Nothing/ },
  {
    name: 'a binary file',
    file: Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
    old: 'PNG',
    says: /^Error: Cannot change f as text: it is a binary file \(a PNG image\)\. Nothing was changed\.$/,
  },
  { name: 'a file that is not there', old: 'a', says: /^Error: File not found: f$/ },
  {
    name: 'a large file',
    file: Buffer.alloc(4 * MEGABYTES + 1, 'a'),
    old: 'b',
    says: /^Error: File is too large to be changed: f \(4194305 bytes, at most 4194304\)$/,
  },
  {
    name: 'a file that would be large',
    file: 'x'.repeat(5000),
    old: 'x',
    new: 'y'.repeat(1000),
    all: true,
    says: /^Error: f would have 5000000 bytes, at most 4194304\. Nothing was changed\.$/,
  },
]

for (const { name, file, old, new: fresh = 'NEW', all, says } of refused) {
  replacing(`${name} is refused`, async ({ temp }) => {
    if (file !== undefined) await temp.put(`${HOST_WORK}/f`, file)
    const { status, content, files } = await strReplace(
      { path: 'f', old_str: old, new_str: fresh, replace_all: all },
      temp.context,
    )
    assert.is(status, 'error')
    assert.match(content, says)
    assert.is(files, undefined)
    if (file === undefined) return
    assert.equal(await readFile(host(temp)), Buffer.from(file))
    assert.equal(await readdir(join(temp.base, HOST_WORK)), ['f'])
  })
}

replacing('a long old text in a file that is nearly it takes no minutes', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, Buffer.alloc(4 * MEGABYTES, 'a'))
  const half = 'a'.repeat(20_000)
  const { content } = await strReplace({ path: 'f', old_str: `${half}b${half}`, new_str: '' }, temp.context)
  assert.match(content, /not found/)
})

replacing('the mode stays', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, '#!/bin/sh\n')
  await chmod(host(temp), 0o754)
  await strReplace({ path: 'f', old_str: 'sh', new_str: 'bash' }, temp.context)
  assert.is((await stat(host(temp))).mode & 0o7777, 0o754)
})

replacing('through a link the file behind it is changed, and the link stays', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/deep/f`, 'a')
  await symlink('deep/f', host(temp, 'l'))
  assert.is((await strReplace({ path: 'l', old_str: 'a', new_str: 'b' }, temp.context)).content, 'OK')
  assert.is(await readFile(host(temp, 'deep/f'), 'utf8'), 'b')
  assert.ok((await lstat(host(temp, 'l'))).isSymbolicLink())
})

replacing('a file of another name for the same bytes keeps them', async ({ temp }) => {
  await temp.put('docs/shared', 'a')
  await mkdir(join(temp.base, HOST_WORK), { recursive: true })
  await link(join(temp.base, 'docs/shared'), host(temp))
  assert.is((await strReplace({ path: 'f', old_str: 'a', new_str: 'b' }, temp.context)).content, 'OK')
  assert.is(await readFile(join(temp.base, 'docs/shared'), 'utf8'), 'a')
})

replacing('a read-only mount is not changed, and the option is named', async ({ temp }) => {
  const { content } = await strReplace({ path: '/mnt/docs/guide.md', old_str: 'hello', new_str: 'x' }, temp.context)
  assert.match(
    content,
    /^Error: Permission denied accessing file: \/mnt\/docs\/guide\.md \(.*writable: true in sandbox\.mounts/,
  )
  assert.is(await readFile(join(temp.base, 'docs/guide.md'), 'utf8'), 'hello guide\n')
})

replacing('calls on one file come in their order, whatever they do', async ({ temp }) => {
  const { context } = temp
  const outcomes = await Promise.all([
    writeFile({ path: 'new/f', content: '0' }, context),
    ...Array.from({ length: 30 }, (_, i) =>
      strReplace({ path: 'new/f', old_str: `${i}`, new_str: `${i + 1}` }, context),
    ),
    writeFile({ path: 'new/f', content: ' end', append: true }, context),
    strReplace({ path: `${WORK}/new/../new/f`, old_str: '30 end', new_str: 'done' }, context),
  ])
  assert.equal(new Set(outcomes.map(({ content }) => content)), new Set(['OK']))
  assert.is(await readFile(host(temp, 'new/f'), 'utf8'), 'done')
})

replacing.run()
