import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HEARTBEAT_MS } from '../../src/contract/limits.ts'
import { allocateControl } from '../../src/control/control.ts'
import { createHeartbeats } from '../../src/runtime/heartbeats.ts'

const WEDGED_MS = 1000

const watch = () => {
  const control = allocateControl(3, 1)
  const told: string[] = []
  const state = { now: 0, busy: [0, 1], watching: 0, look: (): void => {} }
  const heartbeats = createHeartbeats({
    control,
    wedgedMs: WEDGED_MS,
    clock: {
      now: () => state.now,
      after: () => {
        throw new Error('it only repeats')
      },
      every(ms, call) {
        assert.is(ms, HEARTBEAT_MS)
        state.watching++
        state.look = call
        return () => void state.watching--
      },
    },
    busy: () => state.busy,
    onWedged: (thread) => void told.push(`${thread} wedged`),
    onBack: () => void told.push('back'),
  })
  /** Lets the host look once, `ms` after the last time, while `beating` beat. */
  const pass = (beating: readonly number[], ms = HEARTBEAT_MS): void => {
    state.now += ms
    for (const thread of beating) control.beat(thread)
    state.look()
  }
  const quiet = (): readonly number[] => [0, 1, 2].filter(heartbeats.isQuiet)
  return { heartbeats, state, told, pass, quiet }
}

test('threads that beat are neither quiet nor wedged, however long', () => {
  const { heartbeats, told, pass, quiet } = watch()
  heartbeats.start()
  for (let i = 0; i < 100; i++) pass([0, 1])
  assert.equal([told, quiet()], [[], []])
})

test('a thread that misses its beats is quiet, until it beats again', () => {
  const { heartbeats, told, pass, quiet } = watch()
  heartbeats.start()
  pass([0, 1])
  pass([0])
  assert.equal(quiet(), [], 'one beat may fall between two looks')
  pass([0])
  pass([0])
  assert.equal([quiet(), told], [[1], []])
  pass([0, 1])
  assert.equal([quiet(), told], [[], ['back']])
})

test('a thread that stays silent is wedged once, at wedged_ms and not before', () => {
  const { heartbeats, told, pass } = watch()
  heartbeats.start()
  pass([0, 1])
  for (let i = 0; i < WEDGED_MS / HEARTBEAT_MS - 1; i++) pass([0])
  assert.equal(told, [])
  pass([0])
  assert.equal(told, ['1 wedged'])
  pass([0])
  assert.equal(told, ['1 wedged'])
})

test('time in which the host itself was late does not count', () => {
  const { heartbeats, told, pass, quiet } = watch()
  heartbeats.start()
  pass([0, 1])
  pass([], WEDGED_MS * 20)
  assert.equal([told, quiet()], [[], []], 'it says nothing about the threads')
  pass([], WEDGED_MS * 20)
  pass([], WEDGED_MS * 20)
  assert.equal([told, quiet()], [[], [0, 1]])
  pass([], WEDGED_MS * 20)
  assert.equal(told, ['0 wedged', '1 wedged'])
})

test('looks that come in a burst after a late one add up to no more than the time that passed', () => {
  const { heartbeats, told, pass } = watch()
  heartbeats.start()
  pass([0, 1])
  pass([], WEDGED_MS * 20)
  for (let i = 0; i < 50; i++) pass([], 0)
  assert.equal(told, [])
})

test('a thread without agents need not beat, and begins anew when it gets some', () => {
  const { heartbeats, state, told, pass, quiet } = watch()
  heartbeats.start()
  pass([0, 1])
  for (let i = 0; i < 3; i++) pass([0])
  assert.equal(quiet(), [1])
  state.busy = [0]
  for (let i = 0; i < 20; i++) pass([0])
  assert.equal([quiet(), told], [[], ['back']], 'who waits for a thread is told')
  state.busy = [0, 1]
  for (let i = 0; i < WEDGED_MS / HEARTBEAT_MS; i++) pass([0])
  assert.equal(told, ['back'], 'silence from before it had agents does not count')
})

test('nothing is watched before start and after stop, and no more than once', () => {
  const { heartbeats, state, pass, quiet } = watch()
  assert.is(state.watching, 0)
  heartbeats.start()
  heartbeats.start()
  assert.is(state.watching, 1)
  for (let i = 0; i < 4; i++) pass([])
  assert.equal(quiet(), [0, 1])
  state.busy = []
  heartbeats.stop()
  heartbeats.stop()
  assert.equal([state.watching, quiet()], [0, []])
  state.now += WEDGED_MS * 100
  heartbeats.start()
  assert.is(state.watching, 1)
})

test('a thread that did not let an agent end itself is quiet at once, until it beats again', () => {
  const { heartbeats, told, pass, quiet } = watch()
  heartbeats.suspect(1)
  assert.equal(quiet(), [], 'nothing is watched yet')
  heartbeats.start()
  pass([0, 1])
  heartbeats.suspect(1)
  assert.equal(quiet(), [1])
  pass([0])
  assert.equal(quiet(), [1])
  pass([0, 1])
  assert.equal([quiet(), told], [[], ['back']])
})

test('a thread that still holds agents after the last run is watched on, until it has let go of them', () => {
  const { heartbeats, state, told, pass, quiet } = watch()
  heartbeats.start()
  for (let i = 0; i < 4; i++) pass([1])
  heartbeats.stop()
  assert.equal([state.watching, quiet()], [1, [0]])
  heartbeats.start()
  assert.equal([state.watching, quiet()], [1, [0]], 'the next run does not make it forget')
  heartbeats.stop()
  for (let i = 0; i < WEDGED_MS / HEARTBEAT_MS; i++) pass([1])
  assert.equal(told, ['0 wedged'])
  state.busy = []
  pass([])
  assert.is(state.watching, 0)
})

test.run()
