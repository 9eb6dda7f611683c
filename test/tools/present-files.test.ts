import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { presentFiles } from '../../src/tools/present-files.ts'
import { writeFile } from '../../src/tools/write-file.ts'
import { type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const presenting = suite<{ temp: TempView }>('present_files')

const OUTPUTS = '/mnt/user-data/outputs'

presenting.before.each(async (context) => {
  context.temp = await tempView()
  for (const path of [`${OUTPUTS}/a.md`, `${OUTPUTS}/deep/b.csv`, `${WORK}/c.md`])
    await writeFile({ path, content: 'x' }, context.temp.context)
})
presenting.after.each(({ temp }) => temp.remove())

presenting('files under outputs are presented, and told to the run', async ({ temp }) => {
  const paths = [`${OUTPUTS}/a.md`, `${OUTPUTS}/deep/../deep/b.csv`]
  const files = [`${OUTPUTS}/a.md`, `${OUTPUTS}/deep/b.csv`]
  assert.equal(await presentFiles({ paths }, temp.context), {
    status: 'success',
    content: `Presented:\n${files.join('\n')}`,
    files,
  })
})

const refused: readonly [rule: string, paths: readonly string[], says: RegExp][] = [
  ['a file elsewhere', [`${OUTPUTS}/a.md`, `${WORK}/c.md`], /^Error: Only files under .*copy it there first: .*c\.md$/],
  ['a file that is not there', [`${OUTPUTS}/none.md`], /^Error: File not found: .*none\.md/],
  ['a folder', [`${OUTPUTS}/deep`], /^Error: Path is a directory/],
  ['a path out of the view', ['/etc/passwd'], /^Error: Permission denied/],
  ['a climb', [`${OUTPUTS}/../workspace/c.md`], /^Error: Permission denied/],
  ['no file at all', [], /^Error: "paths" names no file$/],
]

for (const [rule, paths, says] of refused) {
  presenting(`${rule} is refused, and then nothing is presented`, async ({ temp }) => {
    const { status, content, files } = await presentFiles({ paths }, temp.context)
    assert.match(content, says)
    assert.equal([status, files], ['error', undefined])
  })
}

presenting.run()
