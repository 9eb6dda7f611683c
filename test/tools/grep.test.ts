import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type GrepArguments, grep } from '../../src/tools/grep.ts'
import { HOST_WORK, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const searching = suite<{ temp: TempView }>('grep')

const at = (folder: string): string => `/mnt/user-data/workspace/${folder}`
const UNDER = at('s')

searching.before(async (context) => {
  context.temp = await tempView()
  const put = (path: string, content: string | Buffer) => context.temp.put(`${HOST_WORK}/s/${path}`, content)
  await put('a.ts', 'const Fox = 1\n// the fox (1)\n\nlast fox')
  await put('sub/b.md', 'fox\r\nÄPFEL und Äpfel\r\n🦌 deer\r\n')
  await put('sub/esc.txt', 'a \u001b[31mred\u001b[0m fox\n')
  await put('empty.txt', '')
  await put('bin.dat', Buffer.from('fox\0fox'))
  await put('node_modules/m/i.ts', 'fox')
  await put('run.log', 'fox')
  await symlink('..', join(context.temp.base, HOST_WORK, 's/sub/up'))
  await symlink(join(context.temp.base, 'secret.txt'), join(context.temp.base, HOST_WORK, 's/sub/secret.txt'))
})
searching.after(({ temp }) => temp.remove())

const IGNORED = '(not searched: node_modules, run.log; name one in the pattern or path to search it)'
const found = (under: string, lines: readonly string[], ...notes: string[]): string =>
  [`Found ${lines.length} matches under ${under}`, ...lines.map((line) => `${UNDER}/${line}`), ...notes].join('\n')
const none = (...notes: string[]): string => [`No matches found under ${UNDER}`, ...notes].join('\n')

const rows: readonly ({ name: string; content: string } & GrepArguments)[] = [
  {
    name: 'case does not count, lines are counted from 1',
    pattern: 'fox',
    content: found(
      UNDER,
      [
        'a.ts:1: const Fox = 1',
        'a.ts:2: // the fox (1)',
        'a.ts:4: last fox',
        'sub/b.md:1: fox',
        'sub/esc.txt:1: a ␛[31mred␛[0m fox',
      ],
      IGNORED,
    ),
  },
  {
    name: 'case counts',
    pattern: 'Fox',
    case_sensitive: true,
    content: found(UNDER, ['a.ts:1: const Fox = 1'], IGNORED),
  },
  { name: 'plain text', pattern: 'FOX (1)', literal: true, content: found(UNDER, ['a.ts:2: // the fox (1)'], IGNORED) },
  {
    name: 'a line end is no part of a line',
    pattern: 'x$',
    glob: '*.md',
    content: found(UNDER, ['sub/b.md:1: fox'], IGNORED),
  },
  {
    name: 'other scripts ignore case too',
    pattern: 'äpfel UND',
    content: found(UNDER, ['sub/b.md:2: ÄPFEL und Äpfel'], IGNORED),
  },
  { name: 'a dot is a character', pattern: '^. deer$', content: found(UNDER, ['sub/b.md:3: 🦌 deer'], IGNORED) },
  {
    name: 'a flag in the pattern',
    pattern: '(?i)FOX =',
    case_sensitive: true,
    content: found(UNDER, ['a.ts:1: const Fox = 1'], IGNORED),
  },
  { name: 'an escape that is none', pattern: 'fox\\ \\=', content: found(UNDER, ['a.ts:1: const Fox = 1'], IGNORED) },
  {
    name: 'files by name, at any depth',
    pattern: 'fox',
    glob: '*.{md,txt}',
    content: found(UNDER, ['sub/b.md:1: fox', 'sub/esc.txt:1: a ␛[31mred␛[0m fox'], IGNORED),
  },
  { name: 'files by path', pattern: 'fox', glob: 'sub/**/*.md', content: found(UNDER, ['sub/b.md:1: fox'], IGNORED) },
  {
    name: 'an ignored file by name',
    pattern: 'fox',
    glob: '*.log',
    content: found(
      UNDER,
      ['run.log:1: fox'],
      '(not searched: node_modules; name one in the pattern or path to search it)',
    ),
  },
  { name: 'one file', pattern: 'fox', path: 's/sub/b.md', content: found(`${UNDER}/sub/b.md`, ['sub/b.md:1: fox']) },
  {
    name: 'an ignored file as the path',
    pattern: 'fox',
    path: 's/run.log',
    content: found(`${UNDER}/run.log`, ['run.log:1: fox']),
  },
  { name: 'nothing', pattern: 'wolf', content: none(IGNORED) },
]

for (const { name, content, ...args } of rows) {
  searching(name, async ({ temp }) => {
    assert.equal(await grep({ path: 's', ...args }, temp.context), { status: 'success', content })
  })
}

for (const [pattern, message] of [
  ['(', /^Error: Invalid regex pattern: .*Unterminated group$/],
  ['a{2,1}', /^Error: Invalid regex pattern: /],
  ['', /^Error: Invalid regex pattern: it is empty$/],
] as const) {
  searching(`the pattern ${JSON.stringify(pattern)} is refused`, async ({ temp }) => {
    const { status, content } = await grep({ pattern }, temp.context)
    assert.is(status, 'error')
    assert.match(content, message)
  })
}

searching('what is too large is left out, and that is said', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/big/large.txt`, `needle\n${'x'.repeat(1_000_000)}`)
  await temp.put(`${HOST_WORK}/big/fits.txt`, `needle\n${'y'.repeat(999_900)}`)
  await temp.put(`${HOST_WORK}/big/line.txt`, `${'needle'.repeat(400)}\n${'🦌'.repeat(150)}needle`)
  assert.is(
    (await grep({ pattern: 'needle', path: 'big' }, temp.context)).content,
    [
      `Found 2 matches under ${at('big')}`,
      `${at('big')}/fits.txt:1: needle`,
      `${at('big')}/line.txt:2: ${'🦌'.repeat(100)}`,
      '(files over 1000000 bytes, not searched: 1)',
      '(lines over 2000 characters, not searched: 2)',
    ].join('\n'),
  )
})

searching('100 are shown, and more only said when there are more', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/many.txt`, 'hit\n'.repeat(100))
  const exact = (await grep({ pattern: 'hit', path: 'many.txt' }, temp.context)).content
  assert.ok(exact.startsWith(`Found 100 matches under ${at('many.txt')}\n`) && exact.endsWith(':100: hit'))
  await temp.put(`${HOST_WORK}/many.txt`, 'hit\n'.repeat(101))
  const more = (await grep({ pattern: 'hit', glob: 'many.txt' }, temp.context)).content.split('\n')
  assert.is(more[0], `Found 100 matches under ${WORK} (showing first 100)`)
  assert.is(more[101], 'There are more: narrow the path or the pattern, or add a glob.')
})

searching(
  'a pattern that would take centuries is given up and named, and the next is tried as ever',
  async ({ temp }) => {
    for (let i = 0; i < 20; i++)
      await temp.put(`${HOST_WORK}/costly/${i}.txt`, i === 8 ? `${'a'.repeat(60)}!\n` : 'b\n')
    const { status, content } = await grep({ pattern: '^(a+)+$', path: 'costly' }, temp.context)
    assert.is(status, 'error')
    assert.match(content, /^Error: The pattern takes too long, .*: \^\(a\+\)\+\$\. .*literal: true/)
    assert.match((await grep({ pattern: '!', path: 'costly' }, temp.context)).content, /^Found 1 matches/)
  },
)

searching('of many files each is searched, in their order', async ({ temp }) => {
  const names = Array.from({ length: 70 }, (_, i) => `${100 + i}.txt`)
  for (const name of names) await temp.put(`${HOST_WORK}/files/${name}`, 'hit')
  const { content } = await grep({ pattern: 'hit', path: 'files' }, temp.context)
  assert.equal(
    content.split('\n').slice(1),
    names.map((name) => `${at('files')}/${name}:1: hit`),
  )
})

searching.run()
