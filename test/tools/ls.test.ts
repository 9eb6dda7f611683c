import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ls } from '../../src/tools/ls.ts'
import { HOST_WORK, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const listing = suite<{ temp: TempView }>('ls')

listing.before.each(async (context) => {
  context.temp = await tempView()
})
listing.after.each(({ temp }) => temp.remove())

listing('two levels, sorted, folders with a slash', async ({ temp }) => {
  for (const path of ['b.txt', 'a/x/deep.txt', 'a/y.txt', 'a-b', 'é🦌 .txt', '.dot'])
    await temp.put(`${HOST_WORK}/${path}`, '')
  const names = ['.dot', 'a-b', 'a/', 'a/x/', 'a/y.txt', 'b.txt', 'é🦌 .txt']
  assert.equal(await ls({ path: WORK }, temp.context), {
    status: 'success',
    content: names.map((name) => `${WORK}/${name}`).join('\n'),
  })
})

listing('an empty folder', async ({ temp }) => {
  assert.is((await ls({ path: '/mnt/user-data/outputs' }, temp.context)).content, '(empty)')
})

listing('the folders above the roots', async ({ temp }) => {
  assert.is(
    (await ls({ path: '/mnt' }, temp.context)).content,
    ['docs/', 'docs/guide.md', 'project/', 'project/keys/', 'project/packages/', 'project/readme.md', 'user-data/']
      .concat(['user-data/outputs/', 'user-data/uploads/', 'user-data/workspace/'])
      .map((name) => `/mnt/${name}`)
      .join('\n'),
  )
})

listing('what others made is named and not opened', async ({ temp }) => {
  for (const path of ['node_modules/x/index.js', '.git/HEAD', 'app.log', 'out/a'])
    await temp.put(`${HOST_WORK}/${path}`, '')
  const names = ['.git/', 'app.log', 'node_modules/', 'out/']
  assert.is((await ls({ path: WORK }, temp.context)).content, names.map((name) => `${WORK}/${name}`).join('\n'))
  assert.is((await ls({ path: 'out' }, temp.context)).content, `${WORK}/out/a`)
})

listing('links are shown when they stay inside, and never entered', async ({ temp }) => {
  const work = join(temp.base, HOST_WORK)
  await temp.put(`${HOST_WORK}/real/a`, '')
  await symlink('real', join(work, 'folder-link'))
  await symlink('real/a', join(work, 'file-link'))
  await symlink('..', join(work, 'real/cycle'))
  await symlink(temp.base, join(work, 'outside'))
  const names = ['file-link', 'folder-link/', 'real/', 'real/a', 'real/cycle/']
  assert.is((await ls({ path: WORK }, temp.context)).content, names.map((name) => `${WORK}/${name}`).join('\n'))
})

listing('a name cannot pretend to be two lines', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/a\nb`, '')
  assert.is((await ls({ path: WORK }, temp.context)).content, `${WORK}/a␊b`)
})

listing('a long list is cut', async ({ temp }) => {
  const folder = join(temp.base, HOST_WORK, 'many')
  await mkdir(folder, { recursive: true })
  await Promise.all(Array.from({ length: 900 }, (_, i) => mkdir(join(folder, `a-folder-with-a-name-${i}`))))
  const { content } = await ls({ path: 'many' }, temp.context)
  assert.match(
    content,
    /\n\.\.\. \[truncated: showing first \d+ of \d+ chars\. Use a more specific path to see fewer results\] \.\.\.$/,
  )
  assert.ok(content.length <= 20_000 && content.length > 19_900)
})

listing.run()
