import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/runtime/clock.ts'

const TIMER_MAX = 2 ** 31 - 1

interface Timer {
  readonly ms: number
  readonly fire: () => void
  cleared: boolean
}

const test = suite<{ timers: Timer[] }>('clock')
const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }

// Node's timers as far as the clock uses them, so that nobody has to wait for a month.
test.before.each((context) => {
  const timers: Timer[] = []
  context.timers = timers
  const fake = {
    setTimeout: (call: (...all: unknown[]) => void, ms: number, ...all: unknown[]) => {
      const timer: Timer = { ms, fire: () => call(...all), cleared: false }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer: Timer) => {
      timer.cleared = true
    },
  }
  Object.assign(globalThis, fake)
})

test.after.each(() => void Object.assign(globalThis, real))

const waits: readonly { readonly ms: number; readonly timers: readonly number[] }[] = [
  { ms: 0, timers: [0] },
  { ms: 1000, timers: [1000] },
  { ms: TIMER_MAX, timers: [TIMER_MAX] },
  { ms: TIMER_MAX + 1, timers: [TIMER_MAX, 1] },
  { ms: 31_536_000_000, timers: [...Array(14).fill(TIMER_MAX), 31_536_000_000 - 14 * TIMER_MAX] },
]

for (const { ms, timers: expected } of waits) {
  test(`a wait of ${ms} ms is ${expected.length} of Node's and ends once, after the last`, ({ timers }) => {
    let calls = 0
    systemClock.after(ms, () => calls++)
    for (let i = 0; i < timers.length; i++) {
      assert.is(calls, 0)
      timers[i]?.fire()
    }
    assert.is(calls, 1)
    assert.equal(
      timers.map(({ ms }) => ms),
      expected,
    )
  })
}

test('a long wait can be cancelled in each of its parts', ({ timers }) => {
  for (const parts of [1, 2, 3]) {
    timers.length = 0
    const cancel = systemClock.after(TIMER_MAX * 2 + 5, () => assert.unreachable('it was cancelled'))
    for (let i = 1; i < parts; i++) timers.at(-1)?.fire()
    cancel()
    assert.is(timers.length, parts)
    assert.is(timers.at(-1)?.cleared, true)
  }
})

test.run()

const plain = suite('clock on real timers')

plain('a wait that no timer can hold does not end at once', async () => {
  const cancel = systemClock.after(2 ** 31, () => assert.unreachable('24 days early'))
  await sleep(50)
  cancel()
})

plain('it repeats until it is cancelled', async () => {
  let calls = 0
  const cancel = systemClock.every(1, () => {
    if (++calls === 3) cancel()
  })
  for (let i = 0; i < 200 && calls < 3; i++) await sleep(10)
  await sleep(30)
  assert.is(calls, 3)
})

plain.run()
