import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listFolder } from '../../src/sandbox/list.ts'
import { type Change, rewriteFile } from '../../src/sandbox/rewrite.ts'
import { writeWhole } from '../../src/sandbox/write.ts'
import { compiled } from '../support/compiled.ts'
import { HOST_WORK, type TempView, tempView, WORK } from './temp-view.ts'

const rewriting = suite<{ temp: TempView }>('a file is changed in one step')

rewriting.before.each(async (context) => {
  context.temp = await tempView()
})
rewriting.after.each(({ temp }) => temp.remove())

const host = ({ base }: TempView, name = 'f'): string => join(base, HOST_WORK, name)
const rewrite = (
  { view }: TempView,
  change: Change,
  { bytesMax = 1e6, signal = new AbortController().signal } = {},
): Promise<string> => rewriteFile(view, 'f', change, { bytesMax, signal })

const editor = ({ userData }: TempView, name: string, rounds: number): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(compiled('sandbox/editor.entry.ts')), userData, name, String(rounds)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** What is found of a change that never ended: its draft, from when nobody knows. */
const abandonedDraft = async (temp: TempView): Promise<string> => {
  let draft = ''
  await rewrite(temp, (bytes) => {
    draft = readdirSync(host(temp, '.')).find((name) => name.startsWith('.troupe-draft-')) ?? ''
    return bytes
  })
  const path = host(temp, draft)
  writeFileSync(path, 'half of')
  return path
}

rewriting('of edits and additions by several processes none is lost', async ({ temp }) => {
  const names = ['a', 'b', 'c']
  await temp.put(`${HOST_WORK}/f`, `start\n${names.map((name) => `${name}=0\n`).join('')}`)
  const children = names.map((name) => editor(temp, name, 40))
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  assert.ok(ends.every(([code]) => code === 0))
  const lines = readFileSync(host(temp), 'utf8').split('\n')
  for (const name of names) {
    assert.ok(lines.includes(`${name}=40`), `${name}: ${lines.join(' ')}`)
    assert.is(lines.filter((line) => line.startsWith(`${name} added`)).length, 4)
  }
  assert.equal(await readdir(host(temp, '.')), ['f'])
})

rewriting('whoever is killed while it edits leaves the file whole', async ({ temp }) => {
  const filler = `${'x'.repeat(99)}\n`.repeat(20_000)
  await temp.put(`${HOST_WORK}/f`, `start\na=0\n${filler}end\n`)
  const child = editor(temp, 'a', 10_000)
  const gone = once(child, 'exit')
  let seen = 0
  let text = ''
  // A hundred edits were seen to begin; the kill falls anywhere.
  while (seen < 100) {
    const now = readFileSync(host(temp), 'utf8')
    assert.match(now, /^start\na=\d+\n/)
    assert.ok(now.includes(`${filler}end\n`))
    if (now !== text) seen++
    text = now
    await new Promise(setImmediate)
  }
  child.kill('SIGKILL')
  await gone
  const left = readFileSync(host(temp), 'utf8')
  assert.match(left, /^start\na=\d+\n/)
  assert.ok(left.includes(`${filler}end\n`))
})

rewriting('what a command writes meanwhile is not lost', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, 'a\n')
  let calls = 0
  await rewrite(temp, (bytes) => {
    if (++calls === 1) appendFileSync(host(temp), 'by a command\n')
    return Buffer.from(bytes.toString().replace('a', 'edited'))
  })
  assert.is(readFileSync(host(temp), 'utf8'), 'edited\nby a command\n')
})

rewriting('a file that changes all the time is left as it is', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, '')
  const busy = await rewrite(temp, () => {
    appendFileSync(host(temp), '.')
    return Buffer.from('lost')
  }).catch((error) => error.code)
  assert.is(busy, 'EBUSY')
  assert.match(readFileSync(host(temp), 'utf8'), /^\.+$/)
})

rewriting('a change that comes to nothing leaves nothing', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, 'a')
  await rewrite(temp, () => null)
  const thrown = await rewrite(temp, () => {
    throw new Error('mine')
  }).catch((error) => error.message)
  assert.is(thrown, 'mine')
  assert.is(await rewrite(temp, (bytes) => bytes, { bytesMax: 0 }).catch((error) => error.code), 'TOO_LARGE')
  assert.is(readFileSync(host(temp), 'utf8'), 'a')
  assert.equal(await readdir(host(temp, '.')), ['f'])
})

rewriting('a draft that somebody holds is waited for, until a stop', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, 'a')
  await abandonedDraft(temp)
  const stop = new AbortController()
  const waits = rewrite(temp, () => Buffer.from('b'), { signal: stop.signal }).catch((error) => error.name)
  setTimeout(() => stop.abort(), 60)
  assert.is(await waits, 'AbortError')
  assert.is(readFileSync(host(temp), 'utf8'), 'a')
})

rewriting('a draft whose process died is taken away, and shown by no tool', async ({ temp }) => {
  await temp.put(`${HOST_WORK}/f`, 'a')
  const draft = await abandonedDraft(temp)
  assert.equal(
    (await listFolder(temp.view, WORK, 10)).entries.map(({ name }) => name),
    ['f'],
  )
  await utimes(draft, 0, 0)
  await rewrite(temp, () => Buffer.from('b'))
  assert.is(readFileSync(host(temp), 'utf8'), 'b')
  await abandonedDraft(temp)
  const nextYear = Date.now() / 1000 + 365 * 86_400
  await utimes(draft, nextYear, nextYear)
  await writeWhole(temp.view, 'f', Buffer.from('c'), { append: true, signal: new AbortController().signal })
  assert.is(readFileSync(host(temp), 'utf8'), 'bc')
  assert.equal(await readdir(host(temp, '.')), ['f'])
})

rewriting.run()
