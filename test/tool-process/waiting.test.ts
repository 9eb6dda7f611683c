import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createWaiting } from '../../src/runtime/tool-processes/waiting.ts'

const filled = (labels: readonly string[], perRun = 10) => {
  const waiting = createWaiting<string>(perRun)
  for (const label of labels) waiting.add(label, label.slice(0, 1), label)
  return waiting
}

const all = (waiting: ReturnType<typeof filled>): readonly string[] => {
  const taken: string[] = []
  for (let next = waiting.take(); next !== undefined; next = waiting.take()) taken.push(next)
  return taken
}

const orders = [
  { name: 'first come, first served within a run', added: ['a1', 'a2', 'a3'], taken: ['a1', 'a2', 'a3'] },
  { name: 'runs take turns', added: ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'], taken: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'] },
  { name: 'nothing waits', added: [], taken: [] },
]
for (const { name, added, taken } of orders) {
  test(name, () => {
    const waiting = filled(added)
    assert.is(waiting.size, added.length)
    assert.equal(all(waiting), taken)
    assert.is(waiting.size, 0)
  })
}

test('a run that comes back waits behind those that were there', () => {
  const waiting = filled(['a1', 'b1', 'b2'])
  assert.is(waiting.take(), 'a1')
  waiting.add('a2', 'a', 'a2')
  assert.equal(all(waiting), ['b1', 'a2', 'b2'])
})

test('what is removed is not taken, and makes room', () => {
  const waiting = filled(['a1', 'a2', 'b1'], 2)
  assert.is(waiting.add('a3', 'a', 'a3'), false)
  assert.is(waiting.remove('a1'), 'a1')
  assert.is(waiting.remove('a1'), undefined)
  assert.is(waiting.add('a3', 'a', 'a3'), true)
  assert.equal(all(waiting), ['a2', 'b1', 'a3'])
})

test('drain gives everything once', () => {
  const waiting = filled(['a1', 'b1', 'a2'])
  assert.equal(waiting.drain(), ['a1', 'a2', 'b1'])
  assert.is(waiting.size, 0)
  assert.is(waiting.take(), undefined)
})

test.run()
