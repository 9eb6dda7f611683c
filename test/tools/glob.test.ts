import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { glob } from '../../src/tools/glob.ts'
import { HOST_WORK, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const finding = suite<{ temp: TempView }>('glob')

const files = [
  'top.ts',
  'src/c.ts',
  'src/a/b/c.ts',
  'src/a/b.js',
  'src/.dot.ts',
  'logs/x.log',
  'a.log',
  'node_modules/m/i.ts',
]

finding.before(async (context) => {
  context.temp = await tempView()
  for (const path of files) await context.temp.put(`${HOST_WORK}/${path}`, 'x')
  await symlink('..', join(context.temp.base, HOST_WORK, 'src/up'))
  await symlink('c.ts', join(context.temp.base, HOST_WORK, 'src/link.ts'))
  await symlink(join(context.temp.base, 'secret.txt'), join(context.temp.base, HOST_WORK, 'src/secret.ts'))
})
finding.after(({ temp }) => temp.remove())

const ignored = (...names: string[]): string =>
  `(not searched: ${names.join(', ')}; name one in the pattern or path to search it)`
const found = (under: string, paths: readonly string[], ...more: string[]): string =>
  [`Found ${paths.length} paths under ${under}`, ...paths.map((path, i) => `${i + 1}. ${under}/${path}`), ...more].join(
    '\n',
  )

const rows: readonly { name: string; pattern: string; path?: string; content: string }[] = [
  {
    name: 'inner ** crosses any number of folders',
    pattern: 'src/**/*.ts',
    content: found(
      WORK,
      ['src/.dot.ts', 'src/a/b/c.ts', 'src/c.ts', 'src/link.ts'],
      ignored('a.log', 'logs', 'node_modules'),
    ),
  },
  {
    name: '* stays in its folder',
    pattern: '*.ts',
    path: `${WORK}/src`,
    content: found(`${WORK}/src`, ['.dot.ts', 'c.ts', 'link.ts']),
  },
  {
    name: 'alternatives',
    pattern: 'a/**/*.{js,ts}',
    path: 'src',
    content: found(`${WORK}/src`, ['a/b/c.ts', 'a/b.js']),
  },
  {
    name: 'an absolute pattern',
    pattern: `${WORK}/src/*.ts`,
    content: found(`${WORK}/src`, ['.dot.ts', 'c.ts', 'link.ts']),
  },
  { name: 'an absolute path', pattern: `${WORK}/src/c.ts`, content: found(`${WORK}/src`, ['c.ts']) },
  {
    name: 'an ignored name is searched when asked for',
    pattern: '**/*.log',
    content: found(WORK, ['a.log'], ignored('logs', 'node_modules')),
  },
  {
    name: 'an ignored folder too',
    pattern: 'logs/*',
    content: found(WORK, ['logs/x.log'], ignored('a.log', 'node_modules')),
  },
  { name: 'or as the start', pattern: '*', path: 'node_modules/m', content: found(`${WORK}/node_modules/m`, ['i.ts']) },
  { name: 'nothing', pattern: 'x/**', path: 'src', content: `No files matched under ${WORK}/src` },
  {
    name: 'nothing in this folder',
    pattern: '*.md',
    path: 'src',
    content: `No files matched under ${WORK}/src\n(only this folder was looked at; **/*.md looks in all below)`,
  },
  {
    name: 'folders are no files',
    pattern: 'a',
    path: 'src',
    content: `No files matched under ${WORK}/src\n(only this folder was looked at; **/a looks in all below)`,
  },
]

for (const { name, content, ...args } of rows) {
  finding(name, async ({ temp }) => {
    assert.equal(await glob(args, temp.context), { status: 'success', content })
  })
}

for (const [pattern, message] of [
  ['', 'Error: Invalid glob pattern: it is empty'],
  ['../*', 'Error: Invalid glob pattern: ../* (.. cannot be used, give a path instead)'],
  ['{a,b}'.repeat(20), 'Error: Invalid glob pattern: it is too long or has too many alternatives'],
] as const) {
  finding(`the pattern ${JSON.stringify(pattern.slice(0, 20))} is refused`, async ({ temp }) => {
    assert.equal(await glob({ pattern }, temp.context), { status: 'error', content: message })
  })
}

finding('200 are shown, and more only said when there are more', async ({ temp }) => {
  for (let i = 0; i < 200; i++) await temp.put(`${HOST_WORK}/many/${String(i).padStart(3, '0')}.txt`, '')
  const exact = (await glob({ pattern: 'many/*' }, temp.context)).content.split('\n')
  assert.is(exact[0], `Found 200 paths under ${WORK}`)
  assert.is(exact[200], `200. ${WORK}/many/199.txt`)
  await temp.put(`${HOST_WORK}/many/zzz.txt`, '')
  const { content } = await glob({ pattern: '*.txt', path: 'many' }, temp.context)
  assert.ok(content.startsWith(`Found 200 paths under ${WORK}/many (showing first 200)\n1. `))
  assert.ok(content.endsWith(`\n200. ${WORK}/many/199.txt\nThere are more: narrow the path or the pattern.`))
})

finding('what lies too deep, and what has a name that is no text, is counted', async ({ temp }) => {
  const deep = `deep/${'d/'.repeat(101)}`
  await temp.put(`${HOST_WORK}/${deep}leaf`, '')
  const { content } = await glob({ pattern: '**/leaf', path: 'deep' }, temp.context)
  assert.is(content, `No files matched under ${WORK}/deep\n(folders more than 100 below, not searched: 1)`)
  if (process.platform !== 'linux') return
  await temp.put(`${HOST_WORK}/odd/leaf`, '')
  await mkdir(Buffer.concat([Buffer.from(join(temp.base, HOST_WORK, 'odd/')), Buffer.from([0xff, 0xfe])]))
  assert.is(
    (await glob({ pattern: '**/leaf', path: 'odd' }, temp.context)).content,
    `Found 1 paths under ${WORK}/odd\n1. ${WORK}/odd/leaf\n(files or folders that could not be read: 1)`,
  )
})

finding.run()
