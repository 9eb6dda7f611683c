import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EVENT_TEXT_MAX } from '../../src/contract/limits.ts'
import { JOINABLE, joinFields } from '../../src/runtime/join-events.ts'

const delta = (text: string, message_id = 'm1', task_id?: string) => ({ ...(task_id && { task_id }), text, message_id })
const progress = (task_id: string, message_index: number) => ({
  task_id,
  message: { id: `m${message_index}`, type: 'ai', content: 'x' },
  message_index,
  progress: `step ${message_index}`,
})

const half = 'x'.repeat(EVENT_TEXT_MAX / 2)

const rows: readonly {
  readonly name: string
  readonly a: object
  readonly b: object
  readonly both: object | undefined
}[] = [
  { name: 'text of one message is put together', a: delta('a'), b: delta('b'), both: delta('ab') },
  { name: 'text of two messages stays apart', a: delta('a'), b: delta('b', 'm2'), both: undefined },
  {
    name: 'text of one task is put together',
    a: delta('a', 'm1', 't'),
    b: delta('b', 'm1', 't'),
    both: delta('ab', 'm1', 't'),
  },
  { name: 'text of two tasks stays apart', a: delta('a', 'm1', 't'), b: delta('b', 'm1', 'u'), both: undefined },
  { name: 'text fills the bound', a: delta(half), b: delta(half), both: delta(half + half) },
  { name: 'text over the bound stays apart', a: delta(`${half}x`), b: delta(half), both: undefined },
  {
    name: 'of the progress of one task the newer stands',
    a: progress('t', 1),
    b: progress('t', 2),
    both: progress('t', 2),
  },
  { name: 'the progress of two tasks stays apart', a: progress('t', 1), b: progress('u', 2), both: undefined },
  { name: 'progress and text stay apart', a: progress('t', 1), b: delta('b', 'm1', 't'), both: undefined },
]

for (const { name, a, b, both } of rows) {
  test(name, () => {
    assert.equal(joinFields(a, b), both)
  })
}

test('only deltas and progress are ever joined', () => {
  assert.equal([...JOINABLE].sort(), ['message_delta', 'task_delta', 'task_running'])
})

test.run()
