import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allocateControl } from '../../src/control/control.ts'

/** Whether it resolves soon. The timer keeps the loop alive, since a waiter does not. */
const soon = (moved: Promise<unknown>): Promise<boolean> => Promise.race([moved.then(() => true), wait(300, false)])

test('a wake resolves the one that waits', async () => {
  const control = allocateControl(2, 1)
  const moved = control.moved(1, control.epoch(1))
  control.wake(1)
  assert.is(await soon(moved), true)
})

test('nothing but a wake resolves it', async () => {
  const control = allocateControl(2, 1)
  const moved = control.moved(0, control.epoch(0))
  control.wake(1)
  control.beat(0)
  control.settle(control.occupy(0), 'completed')
  assert.is(await soon(moved), false)
  control.wake(0)
  assert.is(await soon(moved), true)
})

test('a wake between reading the epoch and waiting is not lost', async () => {
  const control = allocateControl(1, 1)
  const seen = control.epoch(0)
  control.wake(0)
  assert.is(await soon(control.moved(0, seen)), true)
})

test('many wakes while nobody waits are one', async () => {
  const control = allocateControl(1, 1)
  const seen = control.epoch(0)
  for (let n = 0; n < 5; n++) control.wake(0)
  assert.is(await soon(control.moved(0, seen)), true)
  assert.is(await soon(control.moved(0, control.epoch(0))), false)
})

test('a beat is counted for its thread alone', () => {
  const control = allocateControl(2, 1)
  control.beat(1)
  control.beat(1)
  assert.equal([control.beats(0), control.beats(1)], [0, 2])
})

test.run()
