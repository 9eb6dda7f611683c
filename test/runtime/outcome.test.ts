import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ErrorData } from '../../src/contract/errors.ts'
import type { Usage } from '../../src/contract/messages.ts'
import { outcomeOf, partialOf, runResultOf, taskOutcomeOf } from '../../src/runtime/outcome.ts'
import type { Assignment } from '../../src/runtime/tracked.ts'
import { assignmentOf, reportWith, runOf } from '../support/runtime-assignment.ts'

const usage: Usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 }
const counted = { turns: 3, inputTokens: 20, outputTokens: 2, lastTool: 0 }
const said = JSON.stringify({ message: { id: 'm', type: 'ai', content: 'so far' }, model_name: 'spare' })
const saved = {
  said,
  counted,
  files: new Set(['/mnt/user-data/outputs/a.md', '/mnt/user-data/workspace/b']),
  openCalls: 0,
}
const lost: ErrorData = { code: 'THREAD_LOST', message: 'The thread was lost.' }

const errors: readonly {
  readonly name: string
  readonly agent: Partial<Assignment>
  readonly error: ErrorData | null
}[] = [
  { name: 'a completed agent has none', agent: { status: 'completed', report: reportWith({}) }, error: null },
  { name: 'one that asks has none', agent: { status: 'needs_input', report: reportWith({}) }, error: null },
  {
    name: 'a cancelled one has the reason that was given',
    agent: { status: 'cancelled', stop: { cause: 'cancel', reason: 'not needed' } },
    error: { code: 'CANCELLED', message: 'not needed' },
  },
  {
    name: 'without a reason it was the user',
    agent: { status: 'cancelled', stop: { cause: 'cancel', reason: null } },
    error: { code: 'CANCELLED', message: 'Cancelled by user' },
  },
  {
    name: 'one that timed out has its own limit',
    agent: { status: 'timed_out', stop: { cause: 'deadline', reason: null } },
    error: { code: 'TIMED_OUT', message: 'Execution timed out after 30 seconds' },
  },
  {
    name: 'a failed one has what it reported',
    agent: {
      status: 'failed',
      report: reportWith({ status: 'failed', error: { code: 'MODEL_FAILED', message: 'HTTP 500' } }),
    },
    error: { code: 'MODEL_FAILED', message: 'HTTP 500' },
  },
  { name: 'a lost one has the loss', agent: { status: 'failed', fault: lost, progress: saved }, error: lost },
  {
    name: 'what nobody can explain is internal',
    agent: { status: 'failed' },
    error: { code: 'INTERNAL', message: 'The agent failed without a reason.' },
  },
]

for (const { name, agent, error } of errors) {
  test(`errors: ${name}`, () => {
    assert.equal(outcomeOf(assignmentOf(agent)).error, error)
  })
}

test('an agent that reported is what it reported, whatever the host had kept', () => {
  const report = reportWith({ files: ['/mnt/user-data/outputs/x.csv'] })
  const {
    text,
    turns,
    files,
    artifacts,
    usage: own,
  } = outcomeOf(assignmentOf({ status: 'completed', report, progress: saved }))
  assert.equal([text, turns, files, own], ['the answer', 2, ['/mnt/user-data/outputs/x.csv'], usage])
  assert.equal(artifacts, [{ path: '/mnt/user-data/outputs/x.csv', type: 'data' }])
})

test('of an agent that could not report is left what it said last and with which model, what it wrote and what was counted', () => {
  const outcome = outcomeOf(assignmentOf({ status: 'failed', fault: lost, progress: saved }))
  assert.equal(outcome, {
    status: 'failed',
    stopReason: null,
    text: 'so far',
    error: lost,
    usage: { input_tokens: 20, output_tokens: 2, total_tokens: 22 },
    turns: 3,
    files: [...saved.files],
    modelName: 'spare',
    artifacts: [{ path: '/mnt/user-data/outputs/a.md', type: 'markdown' }],
  })
  assert.equal(partialOf(outcome), { text: 'so far', files: [...saved.files] })
})

test('of one that had not begun nothing is left', () => {
  const outcome = outcomeOf(assignmentOf({ status: 'cancelled' }))
  const { text, usage: used, turns, files, modelName } = outcome
  assert.equal([text, used, turns, files, modelName], ['', null, 0, [], 'main'])
  assert.is(partialOf(outcome), null)
})

test('completed work is never partial', () => {
  assert.is(partialOf(outcomeOf(assignmentOf({ status: 'completed', report: reportWith({ files: ['/x'] }) }))), null)
})

const task = (agent: Partial<Assignment>): Assignment => assignmentOf({ taskId: 't', ...agent })

test('the lead is told the whole result of a completed task, and of any other its error and what is left', () => {
  const long = 'x'.repeat(10_000)
  const common = { stopReason: null, modelName: 'main', usage }
  assert.equal(taskOutcomeOf(task({ status: 'completed', report: reportWith({ text: long }) })), {
    ...{ status: 'completed', result: long, error: '', partialText: '', resultSha256: 'f'.repeat(64) },
    ...common,
  })
  const report = reportWith({
    status: 'failed',
    error: { code: 'MODEL_FAILED', message: 'HTTP 500' },
    resultSha256: '',
  })
  assert.equal(taskOutcomeOf(task({ status: 'failed', report })), {
    ...{ status: 'failed', result: '', error: 'HTTP 500', partialText: 'the answer', resultSha256: '' },
    ...common,
  })
})

const resultWith = (...tasks: readonly Assignment[]) => {
  const run = runOf('r')
  for (const each of tasks) run.tasks.set(each.taskId ?? '', each)
  return runResultOf(run, assignmentOf({ status: 'completed', report: reportWith({ text: 'all done' }) }))
}

test('a subagent that asks has completed: its question is its result', () => {
  const asks = task({ status: 'needs_input', report: reportWith({ status: 'needs_input', text: 'which one?' }) })
  const { status, result, partialText } = taskOutcomeOf(asks)
  assert.equal([status, result, partialText], ['completed', 'which one?', ''])
  const [delegation] = resultWith(asks).delegations
  assert.equal([delegation?.status, delegation?.result, delegation?.partial], ['completed', 'which one?', null])
})

test('a run counts the usage of its whole tree, and what was estimated stays marked', () => {
  assert.equal(resultWith().usage, usage)
  const sum = resultWith(
    task({ taskId: 'a', status: 'completed', report: reportWith({}) }),
    task({ taskId: 'b', status: 'failed', fault: lost, progress: saved }),
    task({ taskId: 'c', status: 'cancelled' }),
  ).usage
  assert.equal(sum, { input_tokens: 40, output_tokens: 4, total_tokens: 44 })
  const estimated = reportWith({ usage: { ...usage, estimated: true } })
  assert.is(resultWith(task({ status: 'completed', report: estimated })).usage.estimated, true)
})

test('delegations stand in the order they were asked for, their texts bounded', () => {
  const long = 'x'.repeat(10_000)
  const { delegations, status, text, turns } = resultWith(
    task({ taskId: 'b', status: 'completed', report: reportWith({ text: long, stopReason: 'turn_capped' }) }),
    task({ taskId: 'a', status: 'failed', fault: { code: 'INTERNAL', message: long }, progress: saved }),
  )
  assert.equal([status, text, turns], ['completed', 'all done', 2])
  const [b, a] = delegations
  assert.equal(
    [b?.task_id, b?.status, b?.stop_reason, b?.result?.length, b?.error, b?.partial],
    [...['b', 'completed', 'turn_capped', 2000], ...[null, null]],
  )
  assert.equal([a?.task_id, a?.status, a?.result, a?.error?.length], ['a', 'failed', null, 2000])
  assert.equal(a?.partial, { text: 'so far', files: [...saved.files] })
})

test.run()
