import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileLines, filesOf } from '../../src/cli/files.ts'

const test = suite('the files of a run', { folder: '' })

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'troupe-files-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const LATER = Number.MAX_SAFE_INTEGER
const OUTPUTS = '.troupe/threads/t1/user-data/outputs'
const IN = `All results of this conversation are in ${OUTPUTS}`
const letters = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => String.fromCharCode(from.charCodeAt(0) + at))

const table: readonly { name: string; files: readonly string[]; since?: number; lines: readonly string[] }[] = [
  { name: 'none, and no folder either', files: [], lines: [] },
  { name: 'only what was there before', files: ['a.md'], since: LATER, lines: [] },
  {
    name: 'those at the top first',
    files: ['deep/er/z.md', 'b.md', 'a\u001b[2J.md'],
    lines: [`file: ${OUTPUTS}/a.md`, `file: ${OUTPUTS}/b.md`, `file: ${OUTPUTS}/deep/er/z.md`, IN],
  },
  { name: 'hidden ones are not meant for anybody', files: ['.tool-results/bash.log'], lines: [] },
  {
    name: 'more than anybody reads',
    files: letters('a', 13),
    lines: [...letters('a', 10).map((name) => `file: ${OUTPUTS}/${name}`), 'and 3 more', IN],
  },
]
for (const { name, files, since = 0, lines } of table) {
  test(name, async ({ folder }) => {
    const outputs = join(filesOf(join(folder, '.troupe'), 't1'), 'outputs')
    for (const file of files) {
      mkdirSync(dirname(join(outputs, file)), { recursive: true })
      writeFileSync(join(outputs, file), '')
    }
    assert.equal(await fileLines(outputs, since, folder), lines)
  })
}

test('a link is named and not followed', async ({ folder }) => {
  mkdirSync(join(folder, 'out'))
  symlinkSync('/', join(folder, 'out/root'))
  const lines = await fileLines(join(folder, 'out'), 0, folder)
  assert.equal(lines, ['file: out/root', 'All results of this conversation are in out'])
})

test('a place far from the shell is named whole', async ({ folder }) => {
  writeFileSync(join(folder, 'a'), '')
  assert.is((await fileLines(folder, 0, '/a/b/c/d/e/f/g/h'))[0], `file: ${folder}/a`)
})

test.run()
