import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { StopCause } from '../../src/contract/status.ts'
import { allocateControl } from '../../src/control/control.ts'

const causes: readonly StopCause[] = ['cancel', 'deadline', 'close']

for (const first of causes) {
  test(`asked to stop by ${first}, no later cause counts`, () => {
    const control = allocateControl(1, 1)
    const ref = control.occupy(0)
    assert.is(control.asked(ref), undefined)
    assert.is(control.ask(ref, first), true)
    for (const later of causes) assert.is(control.ask(ref, later), false)
    assert.is(control.asked(ref), first)
  })

  test(`the gate of a run is shut by ${first}, for this run alone`, () => {
    const control = allocateControl(1, 2)
    const gate = control.occupy(0)
    const other = control.occupy(1)
    assert.is(control.closed(gate), false)
    control.ask(gate, first)
    assert.is(control.closed(gate), true)
    assert.is(control.closed(other), false)
  })
}

test('an agent that has ended can still be asked: its gate must shut behind it', () => {
  const control = allocateControl(1, 1)
  const gate = control.occupy(0)
  control.settle(gate, 'completed')
  assert.is(control.ask(gate, 'cancel'), true)
  assert.is(control.closed(gate), true)
})

test('the gate of another generation is shut: its run is over', () => {
  const control = allocateControl(1, 1)
  const old = control.occupy(0)
  control.ask(old, 'cancel')
  control.release(old)
  const young = control.occupy(0)
  assert.is(control.closed(old), true)
  assert.is(control.closed(young), false)
  assert.is(control.asked(young), undefined)
  assert.is(control.closed({ slot: 0, generation: young.generation + 1 }), true)
})

test.run()
