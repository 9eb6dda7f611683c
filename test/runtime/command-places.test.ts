import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCommandPlaces } from '../../src/runtime/command-places.ts'
import type { Assignment } from '../../src/runtime/tracked.ts'

const agentOf = (run: string): Assignment => ({ run: { id: run } }) as Assignment

/** Places for `count` commands, and what they have said so far. */
const open = (count: number) => {
  const places = createCommandPlaces(count)
  const said: string[] = []
  const ask = (key: string, agent: Assignment): void =>
    places.ask(key, agent, (has) => said.push(has ? key : `${key} refused`))
  return { ...places, ask, said }
}

test('a command has its place at once while there is one', () => {
  const { ask, said, stats } = open(2)
  for (const key of ['a1', 'a2', 'a3']) ask(key, agentOf('a'))
  assert.equal(said, ['a1', 'a2'])
  assert.equal(stats(), { running: 2, waiting: 1 })
})

test('runs are served in turn, and within a run whoever came first', () => {
  const { ask, leave, said } = open(1)
  for (const key of ['a1', 'a2', 'a3', 'b1', 'b2']) ask(key, agentOf(key.charAt(0)))
  for (const key of ['a1', 'a2', 'b1', 'a3', 'b2']) leave(key)
  assert.equal(said, ['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('whoever leaves while it waits is never called, and costs nobody a place', () => {
  const { ask, leave, said, stats } = open(1)
  for (const key of ['a1', 'a2', 'a3']) ask(key, agentOf('a'))
  leave('a2')
  leave('a2')
  leave('unknown')
  assert.equal(stats(), { running: 1, waiting: 1 })
  leave('a1')
  assert.equal(said, ['a1', 'a3'])
})

test('with its agent goes all that it has and waits for', () => {
  const { ask, end, leave, said, stats } = open(2)
  const [one, other] = [agentOf('a'), agentOf('a')]
  for (const key of ['one1', 'one2', 'one3']) ask(key, one)
  for (const key of ['other1', 'other2']) ask(key, other)
  end(one)
  assert.equal(said, ['one1', 'one2', 'other1', 'other2'])
  end(one)
  // Its thread may still say that they are over.
  leave('one1')
  assert.equal(stats(), { running: 2, waiting: 0 })
  end(other)
  assert.equal(stats(), { running: 0, waiting: 0 })
})

test('of one run a thousand may wait', () => {
  const { ask, said, stats } = open(1)
  for (let i = 0; i < 1002; i++) ask(`a${i}`, agentOf('a'))
  ask('b', agentOf('b'))
  assert.equal(said, ['a0', 'a1001 refused'])
  assert.equal(stats(), { running: 1, waiting: 1001 })
})

test.run()
