import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolCall } from '../../src/contract/messages.ts'
import { trimDelegations, trimNote } from '../../src/policy/delegation-limits.ts'

/** `t1 x r2`: a task call that may start, a call of another tool, a task call that is refused at once. */
const callsOf = (text: string): ToolCall[] =>
  text.split(' ').map((id) => ({ id, name: /^[tr]/.test(id) ? 'task' : 'bash', args: {} }))

const isRefused = ({ id }: ToolCall): boolean => id.startsWith('r')

type Row = readonly [rule: string, limits: string, calls: string, kept: string, because: 'concurrent' | 'total' | null]

/** `limits`: how many at once, how many in all, how many started before. */
const rows: readonly Row[] = [
  ['within the limits all stay', '3 6 0', 't1 t2 t3', 't1 t2 t3', null],
  ['limit-02: the first ones stay, in their order', '2 6 0', 't1 t2 t3 t4', 't1 t2', 'concurrent'],
  ['limit-03: calls of other tools stay where they are', '2 6 0', 'x t1 t2 t3 y', 'x t1 t2 y', 'concurrent'],
  // The reference adds no note here; decision 5 has the model told.
  ['CAT-030: of four calls after one delegation two may start', '2 6 1', 't1 x t2 t3', 't1 x t2', 'concurrent'],
  ['what is left of the total trims', '3 6 5', 't1 t2', 't1', 'total'],
  ['limit-06: with the total used up none stays', '3 3 3', 't1', '', 'total'],
  ['more started than allowed is as good as used up', '3 3 5', 't1 x', 'x', 'total'],
  ['where both limits trim, none is left to ask for later', '3 6 3', 't1 t2 t3 t4', 't1 t2 t3', 'total'],
  ['limit-08: a new run counts from nothing', '3 3 0', 't1', 't1', null],
  ['a refused call stays to be answered and takes no place', '1 6 0', 'r1 t2 r3 t4', 'r1 t2 r3', 'concurrent'],
  ['refused calls stay even when the total is used up', '3 3 3', 'r1 t2', 'r1', 'total'],
]

for (const [rule, limits, calls, kept, because] of rows) {
  test(rule, () => {
    const [maxConcurrent = 0, maxTotal = 0, started = 0] = limits.split(' ').map(Number)
    const all = callsOf(calls)
    const trimmed = trimDelegations(all, started, { maxConcurrent, maxTotal }, isRefused)
    assert.is(trimmed.kept.map(({ id }) => id).join(' '), kept)
    assert.is(trimmed.because, because)
    assert.is(trimmed.dropped, all.length - trimmed.kept.length)
  })
}

test('a response without task calls is handed on as it is', () => {
  const calls = callsOf('x y')
  assert.is(trimDelegations(calls, 9, { maxConcurrent: 1, maxTotal: 1 }, isRefused).kept, calls)
})

test('the note says how many did not run, and which limit was it', () => {
  const limits = { maxConcurrent: 3, maxTotal: 6 }
  const note = (dropped: number, because: 'concurrent' | 'total') => trimNote({ kept: [], dropped, because }, limits)
  assert.match(note(1, 'total'), /^\[SUBAGENT LIMIT REACHED\] 1 task call of .* 6 subagents in all/)
  assert.match(note(2, 'concurrent'), /^\[SUBAGENT LIMIT\] 2 task calls of .* 3 subagents run at once/)
})

test.run()
