import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgentItem, ThreadMessage } from '../../src/contract/envelopes.ts'
import { createInbox } from '../../src/runtime/inbox.ts'
import { createTurnBudget } from '../../src/runtime/turn-budget.ts'

const said = (text: string): ThreadMessage => ({ type: 'said', text })
const items = (count: number): ThreadMessage => ({
  type: 'items',
  items: Array.from(
    { length: count },
    (_, slot): AgentItem => ({ kind: 'files', slot, generation: 1, time: 0, files: [] }),
  ),
})

/** What an inbox has taken in so far: texts, and how many items came at a time. */
const inboxWith = (isSpent: () => boolean) => {
  const taken: (string | number)[] = []
  const take = (message: ThreadMessage): void =>
    void taken.push(message.type === 'items' ? message.items.length : message.type === 'said' ? message.text : '')
  return { taken, ...createInbox(take, { isSpent }) }
}

test('within the budget all is taken in at once, a large message in parts', () => {
  const { taken, add } = inboxWith(() => false)
  add(said('a'))
  add(items(20))
  add(said('b'))
  assert.equal(taken, ['a', 8, 8, 4, 'b'])
})

test('once the budget is spent a turn takes one part in, in order, and nothing is lost', async () => {
  const { taken, add } = inboxWith(() => true)
  for (const text of ['a', 'b', 'c']) add(said(text))
  assert.equal(taken, [])
  for (const seen of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await turn()
    assert.equal(taken, seen)
  }
})

test('no thread waits for another, however much that one has to say', async () => {
  const loud = inboxWith(() => true)
  const quiet = inboxWith(() => true)
  for (let i = 0; i < 10; i++) loud.add(said('more'))
  quiet.add(said('one'))
  await turn()
  assert.equal(quiet.taken, ['one'])
})

test('what is left of a thread that is gone is taken in at once', () => {
  const { taken, add, empty } = inboxWith(() => true)
  add(items(10))
  add(said('last'))
  empty()
  assert.equal(taken, [8, 2, 'last'])
})

test('a budget is for one turn of the event loop', async () => {
  const budget = createTurnBudget()
  assert.not(budget.isSpent())
  for (const end = performance.now() + 5; performance.now() < end; );
  assert.ok(budget.isSpent())
  await turn()
  await turn()
  assert.not(budget.isSpent())
})

test.run()
