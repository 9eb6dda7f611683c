import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { hostThat } from '../support/host-that.ts'
import { inTurns, silence } from '../support/runtime-script.ts'

// What any machine must keep to, however slow: counts and bytes, never times.
const SUBAGENTS = 3
const TURNS = 5
const REQUESTS = 2 + SUBAGENTS * (TURNS + 1)
/** With its transcript and socket; from `npm run bench -- memory`. */
const PUBLISHED_KB = 45

const tasks = (prompt: string, count: number) =>
  callTools(...Array.from({ length: count }, (_, i) => call('task', { prompt }, `t${i}`)))
const steps = Array.from({ length: TURNS }, (_, turn) => callTools(call('instant', { turn })))

const parts = {
  lead: inTurns(tasks('sub', SUBAGENTS), say('done')),
  sub: inTurns(...steps, say('found')),
  brief: inTurns(tasks('quick', 1), say('done')),
  quick: () => say('found'),
  wide: inTurns(tasks('hang', 50), say('done')),
  hang: () => silence,
}
const host = (how: string) => hostThat(how, { entry: 'threads/budgets.entry.ts', parts, ms: 120_000 })

test('a model step costs at most two messages between the host and its threads, in both directions together', async () => {
  const { found, stderr } = await host('steps')
  assert.is(stderr, '')
  const perStep = (found.posted + found.received) / (found.runs * REQUESTS)
  assert.ok(perStep > 0.1, 'they are counted')
  assert.ok(perStep < 2, `${found.posted} posted and ${found.received} received: ${perStep} a step`)
})

test('1,000 runs leave no listener, waiter, timer or object behind, and threads stand still after them', async () => {
  const { found, stderr } = await host('thousand')
  const { before, after, moved } = found
  assert.is(stderr, '')
  assert.equal([after.listeners, after.waiters, after.timers], [before.listeners, before.waiters, []])
  assert.ok(before.waiters >= 1, 'waiters are counted')
  assert.is(moved, 0, 'words of shared memory that changed while nothing ran')
  const grown = after.heapKb - before.heapKb
  assert.ok(grown < 1000, `the host's heap grew by ${grown} KB`)
})

test(`a live subagent takes at most twice the ${PUBLISHED_KB} KB that bench/README.md says`, async () => {
  const { found, stderr } = await host('live')
  assert.is(stderr, '')
  assert.ok(found.kbEach > 1, 'it is measured')
  assert.ok(found.kbEach < 2 * PUBLISHED_KB, `it takes ${found.kbEach} KB`)
})

test.run()
