import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allocateControl, openControl } from '../../src/control/control.ts'
import { COOLDOWNS } from '../../src/control/layout.ts'

const NOW = 1_800_000_000_000

test('a pause is seen by whoever has the slab, for as long as it lasts', () => {
  const here = allocateControl(1, 1)
  const there = openControl(here.slab)
  assert.is(there.paused(7, NOW), 0)
  here.pause(7, NOW, 2000)
  assert.is(there.paused(7, NOW), 2000)
  assert.is(there.paused(7, NOW + 1999), 1)
  assert.is(there.paused(7, NOW + 2000), 0)
  assert.is(there.paused(8, NOW), 0)
})

test('a shorter pause does not cut a longer one short, a longer one stands', () => {
  const control = allocateControl(1, 1)
  control.pause(7, NOW, 5000)
  control.pause(7, NOW + 1000, 1000)
  assert.is(control.paused(7, NOW + 1000), 4000)
  control.pause(7, NOW + 1000, 6000)
  assert.is(control.paused(7, NOW + 1000), 6000)
})

test('keys that fall on one place are told apart, whatever their sign', () => {
  const control = allocateControl(1, 1)
  for (const [n, key] of [5, 5 + COOLDOWNS, 5 + 2 * COOLDOWNS, -59].entries()) control.pause(key, NOW, 1000 * (n + 1))
  assert.equal(
    [5, 5 + COOLDOWNS, 5 + 2 * COOLDOWNS, -59].map((key) => control.paused(key, NOW)),
    [1000, 2000, 3000, 4000],
  )
})

test('more keys than there are places share, and nothing breaks', () => {
  const control = allocateControl(1, 1)
  for (let key = 1; key <= 2 * COOLDOWNS; key++) control.pause(key, NOW, 1000)
  for (let key = 1; key <= 2 * COOLDOWNS; key++) assert.is(control.paused(key, NOW), 1000)
})

test('no pause is longer than a minute, and what an old clock left behind is none', () => {
  const control = allocateControl(1, 1)
  control.pause(7, NOW, 86_400_000)
  assert.is(control.paused(7, NOW), 60_000)
  assert.is(control.paused(7, NOW - 3_600_000), 0)
  assert.is(control.paused(7, NOW + 3_600_000), 0)
})

test('tickets of a key count up, also across threads', () => {
  const here = allocateControl(1, 1)
  const there = openControl(here.slab)
  assert.equal([here.ticket(7), there.ticket(7), here.ticket(7), here.ticket(8)], [0, 1, 2, 0])
})

test('cooldowns touch no word of an agent', () => {
  const control = allocateControl(2, 3)
  const ref = control.occupy(2)
  for (let key = 1; key <= COOLDOWNS; key++) control.pause(key, NOW, 1000)
  assert.is(control.standing(ref), 'running')
  assert.is(control.asked(ref), undefined)
})

test.run()
