import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LedgerRow } from '../../src/contract/conversation.ts'
import type { TaskOutcome } from '../../src/contract/envelopes.ts'
import { closeRow, mergeRow, openRow, renderLedger } from '../../src/policy/ledger.ts'
import { outcome } from '../support/task-outcome.ts'

const facts = { id: 'c1', run_id: 'r1', description: 'map api', subagent_type: 'general-purpose', created_at: 'T0' }

const row = (fields: Partial<LedgerRow> = {}): LedgerRow => ({ ...openRow(facts), ...fields })

const close = (fields: Partial<TaskOutcome>): LedgerRow => closeRow(row(), outcome(fields), (text) => `hash of ${text}`)

test('ledger-01: a delegation begins in progress', () => {
  assert.equal(row(), {
    ...facts,
    ...{ status: 'in_progress', stop_reason: null, result_brief: null, partial_brief: null },
    ...{ result_sha256: null, result_ref: 'c1' },
  })
})

const ends: readonly [rule: string, fields: Partial<TaskOutcome>, row: Partial<LedgerRow>][] = [
  [
    'a result is trimmed and keeps the hash of the whole',
    { result: ' R\n', resultSha256: 'f'.repeat(64) },
    { status: 'completed', result_brief: 'R', result_sha256: 'f'.repeat(64) },
  ],
  ['a blank result is none', { result: ' \n', resultSha256: 'x' }, { result_brief: null, result_sha256: null }],
  ['a cap is kept', { result: 'R', stopReason: 'turn_capped' }, { stop_reason: 'turn_capped' }],
  [
    'a result is bounded',
    { result: 'q'.repeat(9000) },
    { result_brief: `${'q'.repeat(1333)}\n...\n${'q'.repeat(662)}` },
  ],
  [
    'an error stands for the result, and is hashed itself',
    { status: 'failed', error: ' E ' },
    { status: 'failed', result_brief: 'E', result_sha256: 'hash of E' },
  ],
  ['without one the sentence does: failed', { status: 'failed' }, { result_brief: 'Task failed.' }],
  ['cancelled', { status: 'cancelled', error: ' ' }, { result_brief: 'Task cancelled by user.' }],
  ['timed out', { status: 'timed_out' }, { result_brief: 'Task timed out.' }],
  ['what is left of the work is kept beside', { status: 'failed', partialText: ' half ' }, { partial_brief: 'half' }],
  ['of a completed task nothing is left over', { result: 'R', partialText: 'half' }, { partial_brief: null }],
  ['raw, as events have it', { result: '<task_result>' }, { result_brief: '<task_result>' }],
]

for (const [rule, fields, expected] of ends) {
  test(`an end: ${rule}`, () => {
    const closed = close(fields)
    for (const [key, value] of Object.entries(expected)) assert.equal(closed[key as keyof LedgerRow], value, key)
    assert.equal([closed.id, closed.created_at, closed.result_ref], ['c1', 'T0', 'c1'])
  })
}

const done = row({ status: 'completed', result_brief: 'R' })

const merges: readonly [rule: string, known: readonly LedgerRow[], more: LedgerRow, rows: readonly LedgerRow[]][] = [
  ['a new one comes last', [row()], row({ id: 'c2' }), [row(), row({ id: 'c2' })]],
  ['an end replaces the beginning, where it stands', [row(), row({ id: 'c2' })], done, [done, row({ id: 'c2' })]],
  ['ledger-05: an end is never taken back', [done], row({ created_at: 'T1' }), [done]],
  [
    'an end may replace an end; the first sighting stands',
    [done],
    row({ status: 'failed', created_at: 'T1' }),
    [row({ status: 'failed', created_at: 'T0' })],
  ],
  [
    'an id that a later run uses again is another delegation',
    [done],
    row({ run_id: 'r2' }),
    [done, row({ run_id: 'r2' })],
  ],
]

for (const [rule, known, more, rows] of merges) {
  test(`merging: ${rule}`, () => assert.equal(mergeRow(known, more), rows))
}

const many = (count: number, fields: Partial<LedgerRow> = {}): readonly LedgerRow[] =>
  Array.from({ length: count }, (_, i) => row({ id: `c${i}`, description: `job <${i}>`, ...fields }))

test('the latest 50 are kept', () => {
  const rows = many(60).reduce<readonly LedgerRow[]>(mergeRow, [])
  assert.equal([rows.length, rows[0]?.id, rows.at(-1)?.id], [50, 'c10', 'c59'])
})

const lines: readonly [rule: string, fields: Partial<LedgerRow>, line: RegExp][] = [
  ['in progress', {}, /^- \[in_progress\] map api \(via general-purpose; .*do not delegate it again, wait .*build on/],
  ['done', { status: 'completed', result_brief: 'R' }, /^- \[completed\] .*do not delegate it again\) -> R$/],
  [
    'ledger-09: done under a cap',
    { status: 'completed', stop_reason: 'turn_capped' },
    /partial result.*guardrail cap.*budget/,
  ],
  ['a cap and nothing usable', { status: 'failed', stop_reason: 'loop_capped' }, /guardrail cap.*no usable result/],
  ['failed', { status: 'failed', result_brief: 'E' }, /^- \[failed\] .*may be tried again, with another plan\) -> E$/],
  ['cancelled', { status: 'cancelled' }, /^- \[cancelled\] .*may be tried again/],
  ['timed out', { status: 'timed_out' }, /^- \[timed_out\] .*may be tried again/],
  ['read from elsewhere', { status: 'polling_timed_out' }, /^- \[polling_timed_out\] .*may be tried again/],
  ['on one line', { description: 'a\n\n b', result_brief: 'x\ny', status: 'failed' }, /\] a b \(.*-> x y$/],
  ['a long brief is cut', { status: 'completed', result_brief: 'z'.repeat(500) }, /-> z{80} \.\.\. z{35}$/],
  [
    'ledger-08: escaped',
    { description: '</x><system>', subagent_type: '<t>', result_brief: '<b>&', status: 'completed' },
    /\] &lt;\/x&gt;&lt;system&gt; \(via &lt;t&gt;; .*-> &lt;b&gt;&amp;$/,
  ],
]

for (const [rule, fields, line] of lines) {
  test(`a line: ${rule}`, () =>
    assert.match(
      renderLedger([row(fields)])
        .split('\n')
        .at(-1) ?? '',
      line,
    ))
}

test('ledger-09: what was capped is not told to be left alone', () => {
  for (const status of ['completed', 'failed'] as const)
    assert.not.match(renderLedger([row({ status, stop_reason: 'token_capped' })]), /do not delegate/)
})

test('newest first, under a heading', () => {
  const [heading, , first, second] = renderLedger([done, row({ id: 'c2', description: 'later' })]).split('\n')
  assert.is(heading, '## Work already delegated')
  assert.match(first ?? '', 'later')
  assert.match(second ?? '', 'map api')
})

test('nothing delegated, nothing said', () => assert.is(renderLedger([]), ''))

test('ledger-07: what does not fit is left out from the oldest on, and that is said', () => {
  const text = renderLedger(many(20, { status: 'completed', result_brief: 'b'.repeat(600) }), 1200)
  assert.ok(text.length <= 1200)
  assert.match(text, 'job &lt;19&gt;')
  assert.not.match(text, 'job &lt;0&gt;')
  const shown = text.split('\n').filter((line) => line.startsWith('- [')).length
  assert.is(text.split('\n').at(-1), `- ${20 - shown} older entries are left out`)
})

test('no bound is ever crossed, and no more is left out than must be', () => {
  const rows = many(50, { status: 'failed', result_brief: '<&>'.repeat(40) })
  for (let max = 0; max < 9000; max += 7) assert.ok(renderLedger(rows, max).length <= max)
  assert.ok(renderLedger(rows).length <= 6000)
  const whole = renderLedger(rows.slice(0, 3), 9000)
  assert.is(renderLedger(rows.slice(0, 3), whole.length), whole)
  assert.match(renderLedger(rows.slice(0, 3), whole.length - 1), /1 older entry is left out$/)
})

test.run()
