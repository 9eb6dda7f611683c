import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolCall } from '../../src/contract/messages.ts'
import { trimDelegations } from '../../src/policy/delegation-limits.ts'

/** `t1 x r2`: a task call that may start, a call of another tool, a task call that is refused at once. */
const callsOf = (text: string): ToolCall[] =>
  text.split(' ').map((id) => ({ id, name: /^[tr]/.test(id) ? 'task' : 'bash', args: {} }))

type Row = readonly [rule: string, limits: string, calls: string, kept: string, because: 'concurrent' | 'total' | null]

/** `limits`: how many at once, how many in all, how many started before. */
const rows: readonly Row[] = [
  ['all that the total allows stay, however many', '2 6 0', 't1 x t2 t3 t4 t5', 't1 x t2 t3 t4 t5', null],
  ['what is beyond the total leaves: waiting would not help it', '2 3 0', 't1 t2 t3 t4', 't1 t2 t3', 'total'],
  ['with the total used up none stays', '3 3 3', 't1 x', 'x', 'total'],
  ['a refused call stays to be answered and takes nothing', '1 2 0', 'r1 t2 r3 t4 t5', 'r1 t2 r3 t4', 'total'],
]

for (const [rule, limits, calls, kept, because] of rows) {
  test(`queue: ${rule}`, () => {
    const [maxConcurrent = 0, maxTotal = 0, started = 0] = limits.split(' ').map(Number)
    const queueing = { maxConcurrent, maxTotal, overflow: 'queue' } as const
    const trimmed = trimDelegations(callsOf(calls), started, queueing, ({ id }) => id.startsWith('r'))
    assert.is(trimmed.kept.map(({ id }) => id).join(' '), kept)
    assert.is(trimmed.because, because)
  })
}

test.run()
