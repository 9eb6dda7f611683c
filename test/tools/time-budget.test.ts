import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TimeSpent, timeBudget } from '../../src/tools/time-budget.ts'

const isSpent = (thrown: unknown): boolean => thrown instanceof TimeSpent
const centuries = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}!`)

test('work is done, however often it comes', () => {
  const { spend } = timeBudget(60_000)
  let done = 0
  for (let i = 0; i < 10; i++) spend(() => done++)
  assert.is(done, 10)
})

test('what work throws is thrown', () => {
  const mine = new Error('mine')
  assert.throws(
    () =>
      timeBudget(60_000).spend(() => {
        throw mine
      }),
    (thrown: unknown) => thrown === mine,
  )
})

test('work that never ends is stopped, and no more is begun', () => {
  const { spend } = timeBudget(30)
  assert.throws(() => spend(centuries), isSpent)
  assert.throws(() => spend(() => assert.unreachable()), isSpent)
})

test('each stretch of work takes from the same budget', () => {
  const { spend } = timeBudget(200)
  const endless = (): void => {
    for (let i = 0; i < 1000; i++) spend(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10))
  }
  assert.throws(endless, isSpent)
})

test.run()
