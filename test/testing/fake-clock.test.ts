import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

test('stands still until it is moved', () => {
  const clock = createFakeClock(1000)
  assert.is(clock.now(), 1000)
  clock.advance(5)
  assert.is(clock.now(), 1005)
})

test('calls what falls due in the order of time, then of asking', () => {
  const clock = createFakeClock()
  const calls: string[] = []
  const note = (name: string) => () => calls.push(`${name}@${clock.now()}`)
  clock.after(20, note('late'))
  clock.after(10, note('first'))
  clock.after(10, note('second'))
  clock.after(31, note('never'))
  clock.advance(9)
  assert.equal(calls, [])
  clock.advance(21)
  assert.equal(calls, ['first@10', 'second@10', 'late@20'])
  assert.is(clock.now(), 30)
})

test('what a callback asks for is called in the same move if it falls due', () => {
  const clock = createFakeClock()
  const times: number[] = []
  const tick = (): void => {
    times.push(clock.now())
    clock.after(10, tick)
  }
  clock.after(10, tick)
  clock.advance(35)
  assert.equal(times, [10, 20, 30])
})

test('what is cancelled is not called', () => {
  const clock = createFakeClock()
  const cancel = clock.after(10, () => assert.unreachable())
  clock.after(5, cancel)
  clock.advance(100)
})

test('a wait of nothing or less falls due at once', () => {
  const clock = createFakeClock()
  const calls: number[] = []
  clock.after(-5, () => calls.push(clock.now()))
  clock.advance(0)
  assert.equal(calls, [0])
})

test.run()
