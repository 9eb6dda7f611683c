import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TaskOutcome } from '../../src/contract/envelopes.ts'
import { defuse, resultString, taskMessage, taskMetadata } from '../../src/policy/delegation-result.ts'
import { outcome } from '../support/task-outcome.ts'

type Row = readonly [name: string, end: string, text: string, line: string]

/** `text` is the result of a task that completed, else the error. */
const rows: readonly Row[] = [
  ['status-01', 'completed', 'R1', 'Task Succeeded. Result: R1'],
  ['status-01', 'completed token_capped', 'R1', 'Task Succeeded (capped: token budget). Result: R1'],
  ['status-01', 'completed turn_capped', 'R1', 'Task Succeeded (capped: turn budget). Result: R1'],
  ['status-01', 'completed loop_capped', 'R1', 'Task Succeeded (capped: repeated tool-call loop). Result: R1'],
  ['a result is not trimmed', 'completed', ' R \n', 'Task Succeeded. Result:  R \n'],
  ['an empty result', 'completed', '', 'Task Succeeded. Result: '],
  [
    'task-01',
    'failed',
    "Unknown subagent type 'g'. Available: a",
    "Task failed. Error: Unknown subagent type 'g'. Available: a",
  ],
  [
    'status-02',
    'failed turn_capped',
    'Reached max_turns=7',
    'Task failed (capped: turn budget). Error: Reached max_turns=7',
  ],
  ['a cap alone', 'failed token_capped', '', 'Task failed (capped: token budget).'],
  ['an error is trimmed', 'failed', ' E\n', 'Task failed. Error: E'],
  ['status-03', 'failed', ' ', 'Task failed.'],
  ['status-03', 'cancelled', '', 'Task cancelled by user.'],
  ['status-03', 'timed_out', '\n', 'Task timed out.'],
  ['the default sentence is not doubled', 'failed', 'Task failed.', 'Task failed.'],
  ['task-11', 'cancelled', 'Cancelled by user', 'Task cancelled by user. Error: Cancelled by user'],
  ['a cap is not told', 'cancelled turn_capped', 'E', 'Task cancelled by user. Error: E'],
  ['a cap is not told', 'timed_out loop_capped', 'E', 'Task timed out. Error: E'],
]

/** What 2000 characters leave of a longer text. */
const brief = (letter: string): string => `${letter.repeat(1333)}\n...\n${letter.repeat(662)}`

const sentences = { failed: 'Task failed.', cancelled: 'Task cancelled by user.', timed_out: 'Task timed out.' }

for (const [name, end, text, line] of rows) {
  test(`result string: ${end}, ${name}`, () => {
    const [status, stopReason = null] = end.split(' ') as [TaskOutcome['status'], TaskOutcome['stopReason']?]
    const ended = outcome({ status, stopReason, [status === 'completed' ? 'result' : 'error']: text })
    assert.is(resultString(ended), line)
    const error = status === 'completed' ? undefined : text.trim() || sentences[status]
    assert.is(taskMetadata(ended)['subagent_error'], error)
  })
}

test('a task that completed has no error, whatever is left in the field', () => {
  const ended = outcome({ result: 'R', error: 'E' })
  assert.is(resultString(ended), 'Task Succeeded. Result: R')
  assert.not.ok('subagent_error' in taskMetadata(ended))
})

const PARTIAL = '\n\nPartial result:\n'

const messages: readonly [rule: string, fields: Partial<TaskOutcome>, message: string][] = [
  ['partial work follows', { status: 'timed_out', partialText: 'half' }, `Task timed out.${PARTIAL}half`],
  [
    'partial work stays as it is',
    { status: 'cancelled', partialText: ' a\n' },
    `Task cancelled by user.${PARTIAL} a\n`,
  ],
  ['blank partial work is none', { status: 'failed', partialText: ' \n' }, 'Task failed.'],
  ['a completed task has none', { result: 'R', partialText: 'half' }, 'Task Succeeded. Result: R'],
  ['a result is defused', { result: 'a</task_result>' }, 'Task Succeeded. Result: a&lt;/task_result>'],
  ['an error is defused', { status: 'failed', error: '<task_result>' }, 'Task failed. Error: &lt;task_result>'],
  [
    'partial work is',
    { status: 'failed', partialText: '<SYSTEM-reminder>' },
    `Task failed.${PARTIAL}&lt;SYSTEM-reminder>`,
  ],
  ['task-18: a long result is whole', { result: 'q'.repeat(9000) }, `Task Succeeded. Result: ${'q'.repeat(9000)}`],
]

for (const [rule, fields, message] of messages) {
  test(`message: ${rule}`, () => assert.is(taskMessage(outcome(fields)), message))
}

const tags = [
  'system-reminder',
  'task_result',
  'subagent_system',
  'durable_context_data',
  'tool_restrictions',
  'available-deferred-tools',
]
const mixed = (tag: string): string =>
  tag.replaceAll(/[a-z]/g, (letter, at) => (at % 2 ? letter : letter.toUpperCase()))

for (const tag of tags) {
  test(`no spelling of the tag ${tag} survives, and nothing else is touched`, () => {
    for (const name of [tag, tag.toUpperCase(), mixed(tag)]) {
      for (const rest of [`${name}>`, `/${name}>`, `${name} id="1">`, `${name}/>`, `${name}\n>`, name, `/${name}`]) {
        assert.is(defuse(`<<${rest} & <b>`), `<&lt;${rest} & <b>`)
      }
      for (const other of [
        `<${name}s>`,
        `<${name}_x>`,
        `<${name}-x>`,
        `<x${name}>`,
        `< ${name}>`,
        `&lt;${name}>`,
        name,
      ]) {
        assert.is(defuse(other), other)
      }
    }
  })
}

test('metadata of a completed task: trimmed brief, hash of the whole, model and usage', () => {
  const result = ` ${'q'.repeat(9000)}\n`
  const resultSha256 = createHash('sha256').update(result).digest('hex')
  const usage = { input_tokens: 100, output_tokens: 30, total_tokens: 130, estimated: true } as const
  const fields = { result, resultSha256, modelName: ' m-one ', usage, stopReason: 'turn_capped' } as const
  assert.equal(taskMetadata(outcome(fields)), {
    subagent_status: 'completed',
    subagent_result_brief: brief('q'),
    subagent_result_sha256: resultSha256,
    subagent_stop_reason: 'turn_capped',
    subagent_model_name: 'm-one',
    subagent_token_usage: { input_tokens: 100, output_tokens: 30, total_tokens: 130 },
  })
})

const broken = { status: 'failed', error: 'E' } as const
const told = { subagent_status: 'failed', subagent_error: 'E' }

const metadata: readonly [rule: string, fields: Partial<TaskOutcome>, expected: object][] = [
  ['task-05: without usage there is no key', { ...broken, usage: null }, told],
  ['a blank model has no key', { ...broken, modelName: ' ' }, told],
  ['a blank result has neither brief nor hash', { result: ' \n', resultSha256: 'x' }, { subagent_status: 'completed' }],
  ['a result of a task that broke is not told', { ...broken, result: 'R', resultSha256: 'x' }, told],
  ['a cap is told', { ...broken, stopReason: 'loop_capped' }, { ...told, subagent_stop_reason: 'loop_capped' }],
  [
    'but not of a cancelled task',
    { ...broken, status: 'cancelled', stopReason: 'loop_capped' },
    { ...told, subagent_status: 'cancelled' },
  ],
  [
    'nor of a late one',
    { ...broken, status: 'timed_out', stopReason: 'loop_capped' },
    { ...told, subagent_status: 'timed_out' },
  ],
  ['the error holds no partial work', { ...broken, partialText: 'half' }, told],
  ['the error is raw', { ...broken, error: '<task_result>' }, { ...told, subagent_error: '<task_result>' }],
  ['the error is bounded', { ...broken, error: 'e'.repeat(2001) }, { ...told, subagent_error: brief('e') }],
]

for (const [rule, fields, expected] of metadata) {
  test(`metadata: ${rule}`, () => assert.equal(taskMetadata(outcome(fields)), expected))
}

test.run()
