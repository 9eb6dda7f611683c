import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allocateControl, type Control, openControl } from '../../src/control/control.ts'

const COUNTERS = ['turns', 'inputTokens', 'outputTokens', 'lastTool'] as const

test('what one thread counts, another reads', () => {
  const control = allocateControl(1, 1)
  const ref = control.occupy(0)
  assert.equal(control.counters(ref), { turns: 0, inputTokens: 0, outputTokens: 0, lastTool: 0 })
  control.count(ref, { turns: 3, inputTokens: 1_000_000, outputTokens: 7 })
  control.usedTool(ref, 2)
  assert.equal(openControl(control.slab).counters(ref), {
    turns: 3,
    inputTokens: 1_000_000,
    outputTokens: 7,
    lastTool: 2,
  })
})

test('the next occupant of a slot counts from nothing', () => {
  const control = allocateControl(1, 1)
  const old = control.occupy(0)
  control.count(old, { turns: 1, inputTokens: 2, outputTokens: 3 })
  control.usedTool(old, 4)
  control.settle(old, 'completed')
  control.release(old)
  assert.equal(control.counters(control.occupy(0)), { turns: 0, inputTokens: 0, outputTokens: 0, lastTool: 0 })
})

const THREADS = 3
const SLOTS = 4

/** Writes every word there is, each with a value of its own. */
const fill = (control: Control): void => {
  for (let thread = 0; thread < THREADS; thread++) {
    for (let n = 0; n <= thread; n++) control.wake(thread)
    for (let n = 0; n <= thread + 10; n++) control.beat(thread)
  }
  for (let slot = 0; slot < SLOTS; slot++) {
    for (let n = 0; n < slot; n++) control.occupy(slot)
    const ref = control.occupy(slot)
    control.count(ref, { turns: slot + 100, inputTokens: slot + 200, outputTokens: slot + 300 })
    control.usedTool(ref, slot + 400)
    control.ask(ref, slot % 2 ? 'deadline' : 'close')
    control.settle(ref, slot % 2 ? 'failed' : 'needs_input')
  }
}

test('threads and slots do not overlap: every word keeps what was written to it', () => {
  const control = allocateControl(THREADS, SLOTS)
  fill(control)
  assert.equal([control.threads, control.slots], [THREADS, SLOTS])
  for (let thread = 0; thread < THREADS; thread++) {
    assert.equal([control.epoch(thread), control.beats(thread)], [thread + 1, thread + 11])
  }
  for (let slot = 0; slot < SLOTS; slot++) {
    const ref = { slot, generation: slot + 1 }
    const counted = control.counters(ref)
    assert.equal(
      COUNTERS.map((name) => counted[name]),
      [slot + 100, slot + 200, slot + 300, slot + 400],
    )
    assert.is(control.asked(ref), slot % 2 ? 'deadline' : 'close')
    assert.is(control.standing(ref), slot % 2 ? 'failed' : 'needs_input')
  }
})

test('the words of the last thread and the last slot lie within the slab', () => {
  const control = allocateControl(THREADS, SLOTS)
  const words = new Int32Array(control.slab)
  fill(control)
  assert.is(words.filter((word) => word !== 0).length, 2 + THREADS * 2 + SLOTS * 6)
})

test.run()
