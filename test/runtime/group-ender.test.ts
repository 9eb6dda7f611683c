import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/runtime/clock.ts'
import { createGroupEnder, isGroupAlive } from '../../src/runtime/group-ender.ts'
import { within } from '../support/runtime-scene.ts'

const start = async (script: string): Promise<ChildProcess & { pid: number }> => {
  const child = spawn('/bin/sh', ['-c', `${script}`], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  if (child.stdout) await once(child.stdout, 'data')
  return child as ChildProcess & { pid: number }
}

const enderWith = (graceMs: number) => {
  const gone: number[] = []
  return { gone, ender: createGroupEnder({ clock: systemClock, graceMs, onGone: (pid) => void gone.push(pid) }) }
}

test('a group that heeds is gone at once', async () => {
  const { pid } = await start('sleep 60 & echo; wait')
  const { gone, ender } = enderWith(10_000)
  ender.end(pid)
  ender.end(pid)
  await within(3000, 'it is gone', ender.idle())
  assert.equal(gone, [pid])
  assert.is(isGroupAlive(pid), false)
})

test('a group that does not heed is killed after the grace time', async () => {
  const child = await start("trap '' TERM; echo; while :; do sleep 1; done")
  const ended = once(child, 'exit')
  const { gone, ender } = enderWith(300)
  const from = performance.now()
  ender.end(child.pid)
  assert.equal(await within(3000, 'it is killed', ended), [null, 'SIGKILL'])
  assert.ok(performance.now() - from >= 290)
  await within(3000, 'it is gone', ender.idle())
  assert.equal(gone, [child.pid])
})

test('a group that is not there is gone', async () => {
  const child = await start('echo')
  if (child.exitCode === null) await once(child, 'exit')
  const { gone, ender } = enderWith(10_000)
  await ender.idle()
  ender.end(child.pid)
  await within(1000, 'it is gone', ender.idle())
  assert.equal(gone, [child.pid])
})

test.run()
