import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TerminalStatus } from '../../src/contract/status.ts'
import { allocateControl, openControl } from '../../src/control/control.ts'
import { GENERATION_LIMIT, tagged } from '../../src/control/layout.ts'

const statuses: readonly TerminalStatus[] = ['completed', 'failed', 'cancelled', 'timed_out', 'needs_input']

for (const first of statuses) {
  test(`an agent settled as ${first} stays so, whatever comes later`, () => {
    const control = allocateControl(1, 1)
    const ref = control.occupy(0)
    assert.is(control.standing(ref), 'running')
    assert.is(control.settle(ref, first), true)
    for (const later of statuses) assert.is(control.settle(ref, later), false)
    assert.is(control.standing(ref), first)
  })
}

test('another thread sees the same slab, and only one of two that settle wins', () => {
  const ours = allocateControl(2, 3)
  const theirs = openControl(ours.slab)
  assert.equal([theirs.threads, theirs.slots], [2, 3])
  const ref = ours.occupy(2)
  assert.is(theirs.settle(ref, 'completed'), true)
  assert.is(ours.settle(ref, 'cancelled'), false)
  assert.is(ours.standing(ref), 'completed')
})

test('a slot that nobody had is gone, and cannot be settled', () => {
  const control = allocateControl(1, 1)
  for (const generation of [0, 1]) {
    assert.is(control.standing({ slot: 0, generation }), 'gone')
    assert.is(control.settle({ slot: 0, generation }, 'completed'), false)
  }
})

test('a slot that was given back is gone', () => {
  const control = allocateControl(1, 1)
  const ref = control.occupy(0)
  control.settle(ref, 'completed')
  control.release(ref)
  assert.is(control.standing(ref), 'gone')
  assert.is(control.settle(ref, 'failed'), false)
})

test('every occupant has a generation of its own, and an old one can neither settle, stop nor release the new', () => {
  const control = allocateControl(1, 1)
  const old = control.occupy(0)
  control.settle(old, 'completed')
  control.release(old)
  const young = control.occupy(0)
  assert.is.not(young.generation, old.generation)

  assert.is(control.settle(old, 'failed'), false)
  assert.is(control.ask(old, 'cancel'), false)
  control.release(old)
  assert.is(control.standing(old), 'gone')
  assert.is(control.asked(old), undefined)
  assert.is(control.standing(young), 'running')
  assert.is(control.asked(young), undefined)
  assert.is(control.settle(young, 'timed_out'), true)
})

test('generations wrap where a word ends, and the last one works like any other', () => {
  const control = allocateControl(1, 1)
  const status = control.slab.byteLength / Int32Array.BYTES_PER_ELEMENT - 8
  new Int32Array(control.slab)[status] = tagged(GENERATION_LIMIT - 2, 0)
  for (const generation of [GENERATION_LIMIT - 1, 0, 1]) {
    const ref = control.occupy(0)
    assert.equal(ref, { slot: 0, generation })
    assert.is(control.ask(ref, 'close'), true)
    assert.is(control.asked(ref), 'close')
    assert.is(control.settle(ref, 'needs_input'), true)
    assert.is(control.standing(ref), 'needs_input')
    control.release(ref)
  }
})

test.run()
