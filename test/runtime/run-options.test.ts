import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TroupeError } from '../../src/contract/errors.ts'
import { checkRunOptions } from '../../src/runtime/run-options.ts'
import type { RunSettings } from '../../src/runtime/settings.ts'

// As far as options look at settings.
const settings = {
  config: { subagents: { max_concurrent: 3, max_total_per_run: 6 } },
  thread: { models: [{ name: 'main' }, { name: 'second' }] },
} as unknown as RunSettings

const check = (options: object, prompt: unknown = 'do it') => checkRunOptions(prompt, options, settings)

test('CAT-090: what is left out is the config or the default, of models the first', () => {
  assert.equal(check({}), {
    threadId: null,
    model: 'main',
    subagentEnabled: true,
    maxConcurrent: 3,
    maxTotal: 6,
    deltas: false,
    states: false,
    traceId: null,
  })
})

test('what is given counts', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const given = {
    threadId: 'a_B-9',
    model: 'second',
    subagentEnabled: false,
    include: ['state', 'task_delta'],
    traceId,
  }
  const { threadId, model, subagentEnabled, deltas, states, traceId: trace } = check(given)
  assert.equal(
    [threadId, model, subagentEnabled, deltas, states, trace],
    ['a_B-9', 'second', false, true, true, traceId],
  )
  assert.equal([check({ include: ['state'] }).states, check({ include: ['state'] }).deltas], [true, false])
})

const clamps: readonly (readonly [number, number, number])[] = [
  [-5, 1, 1],
  [0, 1, 1],
  [1, 1, 1],
  [3.9, 3, 3],
  [50, 50, 50],
  [51, 51, 50],
  [64, 64, 50],
  [65, 64, 50],
  [1e9, 64, 50],
  [Number.POSITIVE_INFINITY, 64, 50],
  [Number.NEGATIVE_INFINITY, 1, 1],
]

for (const [given, concurrent, total] of clamps) {
  test(`${given} subagents are clamped to ${concurrent} at once and ${total} in all`, () => {
    const { maxConcurrent, maxTotal } = check({ maxConcurrentSubagents: given, maxTotalSubagents: given })
    assert.equal([maxConcurrent, maxTotal], [concurrent, total])
  })
}

const refusals: readonly {
  readonly name: string
  readonly options?: object
  readonly prompt?: unknown
  readonly says: RegExp
}[] = [
  { name: 'an empty threadId', options: { threadId: '' }, says: /^threadId / },
  { name: 'a threadId of 65 characters', options: { threadId: 'a'.repeat(65) }, says: /^threadId / },
  { name: 'a threadId that climbs', options: { threadId: '../up' }, says: /^threadId / },
  { name: 'a threadId with a line feed behind it', options: { threadId: 'a\n' }, says: /^threadId / },
  { name: 'a threadId that is no text', options: { threadId: 5 }, says: /^threadId / },
  { name: 'a threadId of null', options: { threadId: null }, says: /^threadId / },
  { name: 'an unknown model', options: { model: 'ghost' }, says: /^model "ghost" .*main, second/ },
  { name: 'any agent, since none is defined', options: { agent: 'ghost' }, says: /^agent "ghost"/ },
  { name: 'NaN subagents at once', options: { maxConcurrentSubagents: Number.NaN }, says: /^maxConcurrentSubagents / },
  { name: 'subagents at once as text', options: { maxConcurrentSubagents: '3' }, says: /^maxConcurrentSubagents / },
  { name: 'NaN subagents in all', options: { maxTotalSubagents: Number.NaN }, says: /^maxTotalSubagents / },
  { name: 'an unknown extra', options: { include: ['state', 'all'] }, says: /^include .*all/ },
  { name: 'a traceId of upper case', options: { traceId: 'A'.repeat(32) }, says: /^traceId / },
  { name: 'a traceId of zeros', options: { traceId: '0'.repeat(32) }, says: /^traceId / },
  { name: 'a short traceId', options: { traceId: 'a'.repeat(31) }, says: /^traceId / },
  { name: 'a prompt of white space', prompt: ' \n\t', says: /^prompt / },
  { name: 'a prompt that is no text', prompt: 5, says: /^prompt / },
]

for (const { name, options = {}, prompt, says } of refusals) {
  test(`refused is ${name}`, () => {
    assert.throws(
      () => check(options, prompt),
      (error: TroupeError) =>
        error instanceof TroupeError && error.code === 'OPTIONS_INVALID' && says.test(error.message),
    )
  })
}

test('a threadId may have 64 characters', () => {
  assert.is(check({ threadId: 'a'.repeat(64) }).threadId?.length, 64)
})

test.run()
