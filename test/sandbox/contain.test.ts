import { execFileSync, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listFolder } from '../../src/sandbox/list.ts'
import { openForReading } from '../../src/sandbox/read.ts'
import { rewriteFile } from '../../src/sandbox/rewrite.ts'
import { openForWriting } from '../../src/sandbox/write.ts'
import { HOST_WORK, SECRET, type TempView, tempView, WORK } from './temp-view.ts'

const contain = suite<{ temp: TempView }>('what is opened stays inside')

contain.before.each(async (context) => {
  context.temp = await tempView()
  await context.temp.put(`${HOST_WORK}/in.txt`, 'inside')
})
contain.after.each(({ temp }) => temp.remove())

const read = async ({ view }: TempView, path: string): Promise<string> => {
  const { handle } = await openForReading(view, path)
  return handle.readFile('utf8').finally(() => handle.close())
}

const write = async ({ view }: TempView, path: string, content = 'WRITTEN'): Promise<void> => {
  const { handle } = await openForWriting(view, path, false)
  await handle.writeFile(content).finally(() => handle.close())
}

const code = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'none',
    (error) => String(error.code),
  )

const links: readonly { name: string; at: string; to: (base: string) => string; read: string; write: string }[] = [
  { name: 'a link out', at: 'l', to: (base) => `${base}/secret.txt`, read: 'DENIED', write: 'DENIED' },
  { name: 'a relative link out', at: 'l', to: () => '../../../../../../secret.txt', read: 'DENIED', write: 'DENIED' },
  {
    name: 'a link to another root',
    at: 'l',
    to: (base) => `${base}/project/readme.md`,
    read: 'DENIED',
    write: 'DENIED',
  },
  { name: 'a link to itself', at: 'l', to: () => 'l', read: 'ELOOP', write: 'ELOOP' },
  { name: 'a link to nothing', at: 'l', to: () => 'nothing', read: 'ENOENT', write: 'IRREGULAR' },
  { name: 'a link to nothing outside', at: 'l', to: (base) => `${base}/new.txt`, read: 'ENOENT', write: 'IRREGULAR' },
  { name: 'a link to a device', at: 'l', to: () => '/dev/zero', read: 'DENIED', write: 'DENIED' },
  { name: 'a link inside', at: 'l', to: () => 'in.txt', read: 'none', write: 'none' },
]

for (const { name, at, to, ...expected } of links) {
  contain(name, async ({ temp }) => {
    await symlink(to(temp.base), join(temp.base, HOST_WORK, at))
    assert.is(await code(read(temp, `${WORK}/${at}`)), expected.read)
    assert.is(await code(write(temp, `${WORK}/${at}`)), expected.write)
    assert.is(await readFile(join(temp.base, 'secret.txt'), 'utf8'), SECRET)
    assert.not.ok((await readdir(temp.base)).includes('new.txt'))
  })
}

contain('a link to a folder outside hides what is in it from every verb', async ({ temp }) => {
  await symlink(temp.base, join(temp.base, HOST_WORK, 'out'))
  assert.is(await code(read(temp, `${WORK}/out/secret.txt`)), 'DENIED')
  assert.is(await code(write(temp, `${WORK}/out/new.txt`)), 'DENIED')
  assert.is(await code(write(temp, `${WORK}/out/deep/er/new.txt`)), 'DENIED')
  assert.is(await code(listFolder(temp.view, `${WORK}/out`, 10)), 'DENIED')
  assert.not.ok((await readdir(temp.base)).includes('deep'))
})

contain('a link to a missing folder outside is not written through', async ({ temp }) => {
  await symlink(join(temp.base, 'later'), join(temp.base, HOST_WORK, 'out'))
  assert.match(await code(write(temp, `${WORK}/out/new.txt`)), /^(ENOTDIR|ELOOP)$/)
  assert.not.ok((await readdir(temp.base)).includes('later'))
})

contain('a link in place of the workspace is refused', async ({ temp }) => {
  await rm(join(temp.userData, 'workspace'), { recursive: true })
  await symlink(temp.base, join(temp.userData, 'workspace'))
  assert.is(await code(read(temp, `${WORK}/secret.txt`)), 'DENIED')
  assert.is(await code(write(temp, `${WORK}/new.txt`)), 'DENIED')
  assert.is(await code(listFolder(temp.view, WORK, 10)), 'DENIED')
})

contain('the folders of a thread are made on first use', async ({ temp }) => {
  await rm(temp.userData, { recursive: true })
  assert.equal((await listFolder(temp.view, '/mnt/user-data/outputs', 10)).entries, [])
  assert.equal((await readdir(temp.userData)).sort(), ['outputs', 'uploads', 'workspace'])
})

contain('pipes and sockets give an error and do not hang', async ({ temp }) => {
  const pipe = join(temp.base, HOST_WORK, 'pipe')
  execFileSync('mkfifo', [pipe])
  assert.is(await code(read(temp, `${WORK}/pipe`)), 'IRREGULAR')
  assert.is(await code(write(temp, `${WORK}/pipe`)), 'IRREGULAR')
  // The address of a socket holds some hundred characters.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(temp.project, 's'), resolve))
  assert.is(await code(read(temp, '/mnt/project/s')), 'IRREGULAR')
  assert.is(await code(write(temp, '/mnt/project/s')), 'IRREGULAR')
  server.close()
})

contain('what is hidden is not there, also through a link, a case or a folder above', async ({ temp }) => {
  await symlink('.env', join(temp.project, 'pub'))
  await symlink('keys', join(temp.project, 'k'))
  for (const path of [
    '.env',
    'pub',
    'packages/a/.env.local',
    '.home/threads',
    'keys/private/id',
    'k/private/id',
    '.ENV',
  ]) {
    assert.is(await code(read(temp, `/mnt/project/${path}`)), 'ENOENT', path)
  }
  for (const path of ['.env', '.env.new', 'new/.env', '.home/x', 'keys/private/x', '.Env']) {
    assert.is(await code(write(temp, `/mnt/project/${path}`)), 'DENIED', path)
  }
  assert.is(await code(write(temp, '/mnt/project/k/private/x')), 'ENOENT')
  const names = async (path: string) => (await listFolder(temp.view, path, 100)).entries.map(({ name }) => name)
  assert.equal(await names('/mnt/project'), ['k', 'keys', 'packages', 'pub', 'readme.md'])
  assert.equal(await names('/mnt/project/k'), ['public'])
  assert.is(await read(temp, '/mnt/project/keys/public'), 'a public key\n')
  assert.is(await readFile(join(temp.project, '.env'), 'utf8'), `${SECRET}\n`)
})

contain('a mount that is not writable is not written', async ({ temp }) => {
  assert.is(await read(temp, '/mnt/docs/guide.md'), 'hello guide\n')
  assert.is(await code(write(temp, '/mnt/docs/guide.md')), 'DENIED')
  assert.is(await code(write(temp, '/mnt/docs/new/x.md')), 'DENIED')
  assert.equal(await readdir(join(temp.base, 'docs')), ['guide.md'])
})

/** Swaps two names in a folder as fast as it can, in a process of its own. */
const swapper = (folder: string) => {
  // A write may make `x` anew while it is away; then that one goes.
  const script = `const { renameSync, rmSync } = require('node:fs'); process.chdir(process.argv[1])
    for (;;) try {
      renameSync('x', 'spare'); renameSync('evil', 'x'); renameSync('x', 'evil'); renameSync('spare', 'x')
    } catch { for (;;) try { rmSync('x', { recursive: true, force: true }); renameSync('spare', 'x'); break } catch {} }`
  return spawn(process.execPath, ['-e', script, folder], { stdio: 'ignore' })
}

const race = process.platform === 'linux' ? contain : contain.skip

race('a link swapped in between check and open wins nothing', async ({ temp }) => {
  const work = join(temp.base, HOST_WORK)
  const outside = join(temp.base, 'outside')
  await mkdir(join(work, 'files'))
  await mkdir(join(work, 'folders'))
  await temp.put('outside/y/f', SECRET)
  await temp.put('outside/y/mark', SECRET)
  await temp.put(`${HOST_WORK}/files/x`, 'inside')
  await temp.put(`${HOST_WORK}/folders/x/y/f`, 'inside')
  await symlink(join(outside, 'y/f'), join(work, 'files/evil'))
  await symlink(outside, join(work, 'folders/evil'))
  const children = [swapper(join(work, 'files')), swapper(join(work, 'folders'))]
  const { signal } = new AbortController()
  const seen = { good: 0, refused: 0 }
  const alive = () => children.every((child) => child.exitCode === null)
  const started = performance.now()
  // On a busy machine it takes longer until both outcomes were seen often enough.
  const goesOn = (): boolean => {
    const elapsed = performance.now() - started
    return elapsed < 2500 || (elapsed < 20_000 && Math.min(seen.good, seen.refused) < 10)
  }
  try {
    for (let i = 0; goesOn(); i++) {
      const path = i % 2 === 0 ? 'files/x' : 'folders/x/y/f'
      const text = await read(temp, path).catch(() => null)
      if (text === null) seen.refused++
      else {
        assert.not.match(text, 'SECRET')
        seen.good++
      }
      await write(temp, path, 'mine').catch(() => {})
      await rewriteFile(temp.view, path, () => Buffer.from('edited'), { bytesMax: 100, signal }).catch(() => {})
      await write(temp, `folders/x/y/new-${i}`).catch(() => {})
      await write(temp, `folders/x/y/sub-${i}/new`).catch(() => {})
      const { entries } = await listFolder(temp.view, 'folders/x/y', 1000).catch(() => ({ entries: [] }))
      assert.not.ok(entries.some(({ name }) => name === 'mark'))
    }
    assert.ok(alive())
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
  assert.equal(await readdir(join(outside, 'y')), ['f', 'mark'])
  assert.is(await readFile(join(outside, 'y/f'), 'utf8'), SECRET)
  assert.ok(seen.good >= 10 && seen.refused >= 10, JSON.stringify(seen))
})

contain.run()
