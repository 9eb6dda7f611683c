import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeFile } from '../../src/tools/write-file.ts'
import { HOST_WORK, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const writing = suite<{ temp: TempView }>('write_file')

writing.before.each(async (context) => {
  context.temp = await tempView()
})
writing.after.each(({ temp }) => temp.remove())

const host = ({ base }: TempView, path: string): string => join(base, HOST_WORK, path)

const names = [
  'a.txt',
  'new/deep/a.txt',
  'sp ace é🦌.txt',
  '-rf',
  '..hidden',
  'a..b',
  'back\\slash',
  '.env',
  'a\nb',
  '~$x',
]

for (const name of names) {
  writing(`the name ${JSON.stringify(name)}`, async ({ temp }) => {
    const outcome = await writeFile({ path: name, content: 'é🦌' }, temp.context)
    assert.equal(outcome, { status: 'success', content: 'OK', files: [`${WORK}/${name}`] })
    assert.is(await readFile(host(temp, name), 'utf8'), 'é🦌')
  })
}

writing('a file is replaced as a whole, or added to', async ({ temp }) => {
  await writeFile({ path: 'f', content: 'a long text' }, temp.context)
  await writeFile({ path: 'f', content: 'short' }, temp.context)
  assert.is(await readFile(host(temp, 'f'), 'utf8'), 'short')
  await writeFile({ path: 'f', content: ' and more', append: true }, temp.context)
  assert.is(await readFile(host(temp, 'f'), 'utf8'), 'short and more')
  await writeFile({ path: 'f', content: '' }, temp.context)
  assert.is((await stat(host(temp, 'f'))).size, 0)
  await writeFile({ path: 'new', content: 'x\r\n', append: true }, temp.context)
  assert.is(await readFile(host(temp, 'new'), 'utf8'), 'x\r\n')
})

writing('the path that is reported is the plain one', async ({ temp }) => {
  const { files } = await writeFile({ path: `${WORK}//x/./y/../z.txt`, content: '' }, temp.context)
  assert.equal(files, [`${WORK}/x/z.txt`])
})

// Source: CAT-077.
writing('81920 bytes are the limit of one write, not of an addition', async ({ temp }) => {
  assert.is((await writeFile({ path: 'f', content: 'x'.repeat(81_920) }, temp.context)).content, 'OK')
  const tooMuch = `${'é'.repeat(40_960)}x`
  const refused = await writeFile({ path: 'f', content: tooMuch }, temp.context)
  assert.is(refused.status, 'error')
  assert.match(refused.content, /^Error: .*81921 bytes.*81920-byte limit.*append: true/)
  assert.is((await stat(host(temp, 'f'))).size, 81_920)
  assert.is((await writeFile({ path: 'f', content: tooMuch, append: true }, temp.context)).content, 'OK')
  assert.is((await stat(host(temp, 'f'))).size, 81_920 + 81_921)
})

writing('additions at the same time all arrive', async ({ temp }) => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}\n`)
  await Promise.all(lines.map((content) => writeFile({ path: 'log', content, append: true }, temp.context)))
  const written = (await readFile(host(temp, 'log'), 'utf8')).split(/(?<=\n)/)
  assert.equal(written.sort(), lines.sort())
})

writing('files made at the same time in a folder that is not there', async ({ temp }) => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => writeFile({ path: `same/new/folder/${i}`, content: `${i}` }, temp.context)),
  )
  assert.ok(outcomes.every(({ content }) => content === 'OK'))
})

writing('a writable mount is written', async ({ temp }) => {
  const outcome = await writeFile({ path: '/mnt/project/src/new.ts', content: 'x' }, temp.context)
  assert.equal(outcome.files, ['/mnt/project/src/new.ts'])
  assert.is(await readFile(join(temp.project, 'src/new.ts'), 'utf8'), 'x')
})

writing.run()
