import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compiled } from '../support/compiled.ts'
import { until, wait, within } from '../support/runtime-scene.ts'
import { must } from '../support/runtime-script.ts'
import { historyOf, logsIn } from '../support/thread-log.ts'

const PROCESSES = 6
const KILLS = 30

interface Said {
  readonly count: number
  readonly alone: boolean
}

test('of many processes that want one conversation, some of them killed, one has it at a time and nothing it wrote is lost', async () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  const script = fileURLToPath(compiled('threads/contender.entry.ts'))
  const children = new Set<ChildProcess>()
  const said: Said[] = []
  let faults = ''
  const launch = (name: string): void => {
    const child = spawn(process.execPath, [script, home, name], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      const lines = (text + piece).split('\n')
      text = lines.pop() ?? ''
      said.push(...lines.map((line) => JSON.parse(line)))
    })
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      faults += piece
    })
    child.once('exit', () => children.delete(child))
  }
  try {
    for (let i = 0; i < PROCESSES; i++) launch(`p${i}`)
    for (let kill = 0; kill < KILLS; kill++) {
      const before = said.length
      await until(20_000, 'somebody has it', () => said.length > before)
      await wait(Math.random() * 60)
      must([...children][Math.floor(Math.random() * children.size)]).kill('SIGKILL')
      launch(`k${kill}`)
    }
    const all = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of children) child.kill('SIGKILL')
    await within(5000, 'all end', Promise.all(all))

    assert.is(faults, '')
    assert.ok(said.every(({ alone }) => alone))
    const counts = said.map(({ count }) => count)
    assert.is(new Set(counts).size, counts.length, 'nobody counted on from less than what had been written')
    const opened = must(await logsIn(home).open('last'))
    const last = historyOf(opened).trimEnd().split('\n').at(-1) ?? ''
    const reached = Number(/"content":"(\d+) x[^"]*"[^"]*$/.exec(last)?.[1])
    assert.ok(reached >= Math.max(...counts), `${reached} of ${Math.max(...counts)} are there`)
    assert.ok(reached > 100, `${reached} were written`)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
})

const testOnLinux = process.platform === 'linux' ? test : test.skip

testOnLinux(
  'a conversation that a worker thread has is free once that thread is ended, though its process lives on',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'troupe-'))
    const worker = new Worker(compiled('threads/held-by-worker.entry.ts'), { workerData: home })
    try {
      const [has] = await within(10_000, 'the worker has it', once(worker, 'message'))
      assert.is(has, true)
      assert.is(await logsIn(home).open('while it lives'), null)
      await worker.terminate()
      const opened = must(await logsIn(home).open('after'))
      assert.is(opened.interrupted, 'worker')
    } finally {
      await worker.terminate()
      rmSync(home, { recursive: true, force: true })
    }
  },
)

test.run()
