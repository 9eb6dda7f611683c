import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TroupeError } from '../../src/contract/errors.ts'
import { checkBeforeEdit, checkRunOptions } from '../../src/runtime/run-options.ts'
import type { RunSettings } from '../../src/runtime/settings.ts'

const AGENT = { description: 'd', system_prompt: 'p' }
const OPEN = { ...AGENT, model: 'inherit', tool_groups: null, skills: null, subagents: 'all' }
const agents = {
  reviewer: OPEN,
  clerk: { ...OPEN, model: 'second', tool_groups: ['file'], skills: ['filing'], subagents: ['bash'] },
}

// As far as options look at settings.
const settings = {
  config: { subagents: { max_concurrent: 3, max_total_per_run: 6, custom_agents: { poet: AGENT } }, agents },
  thread: { models: [{ name: 'main' }, { name: 'second' }] },
} as unknown as RunSettings

const check = (options: object, prompt: unknown = 'do it') => checkRunOptions(prompt, options, settings)

test('CAT-090: what is left out is the config or the default, of models the first', () => {
  const { leader, ...rest } = check({})
  assert.equal([leader.name, leader.access, leader.toolGroups], [null, 'all', null])
  assert.equal(rest, {
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

const leaders: readonly [rule: string, options: object, name: string, model: string][] = [
  ['an agent that inherits leads with the first model', { agent: 'reviewer' }, 'reviewer', 'main'],
  ['or with the one that is asked for', { agent: 'reviewer', model: 'second' }, 'reviewer', 'second'],
  ['an agent with a model of its own leads with that', { agent: 'clerk' }, 'clerk', 'second'],
  ['unless another is asked for', { agent: 'clerk', model: 'main' }, 'clerk', 'main'],
]

for (const [rule, options, name, model] of leaders) {
  test(rule, () => {
    const checked = check(options)
    assert.equal([checked.leader.name, checked.model], [name, model])
  })
}

test('an agent that leads brings its prompt, its groups, its skills and its access list', () => {
  const { role, toolGroups, skills, access } = check({ agent: 'clerk' }).leader
  assert.equal([role, toolGroups, skills, access], ['p', ['file'], ['filing'], ['bash']])
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
  { name: 'an unknown agent', options: { agent: 'ghost' }, says: /^agent "ghost" .*known are reviewer, clerk$/ },
  { name: 'one that is nearly right', options: { agent: 'reviwer' }, says: /did you mean "reviewer"\?/ },
  { name: 'what every object has', options: { agent: 'constructor' }, says: /^agent "constructor"/ },
  { name: 'an agent that is no text', options: { agent: 5 }, says: /^agent must be a text$/ },
  { name: 'an agent without a name', options: { agent: '' }, says: /^agent ""/ },
  { name: 'a built-in agent', options: { agent: 'bash' }, says: /^agent "bash" is a subagent and cannot lead/ },
  { name: 'an agent that is only called', options: { agent: 'poet' }, says: /^agent "poet" is a subagent/ },
  { name: 'NaN subagents at once', options: { maxConcurrentSubagents: Number.NaN }, says: /^maxConcurrentSubagents / },
  { name: 'subagents at once as text', options: { maxConcurrentSubagents: '3' }, says: /^maxConcurrentSubagents / },
  { name: 'NaN subagents in all', options: { maxTotalSubagents: Number.NaN }, says: /^maxTotalSubagents / },
  { name: 'an unknown extra', options: { include: ['state', 'all'] }, says: /^include .*all/ },
  { name: 'a traceId of upper case', options: { traceId: 'A'.repeat(32) }, says: /^traceId / },
  { name: 'a traceId of zeros', options: { traceId: '0'.repeat(32) }, says: /^traceId / },
  { name: 'a short traceId', options: { traceId: 'a'.repeat(31) }, says: /^traceId / },
  { name: 'a traceId in a list', options: { traceId: ['a'.repeat(32)] }, says: /^traceId / },
  { name: 'an agent of null', options: { agent: null }, says: /^agent must be a text$/ },
  { name: 'a model that is no text', options: { model: 5 }, says: /^model must be a text$/ },
  { name: 'subagents as a text', options: { subagentEnabled: 'no' }, says: /^subagentEnabled must be true or false$/ },
  { name: 'a signal that is none', options: { signal: 'x' }, says: /^signal must be an AbortSignal$/ },
  { name: 'a controller for its signal', options: { signal: new AbortController() }, says: /^signal / },
  {
    name: 'an extra that is no list',
    options: { include: 'state' },
    says: /^include must be a list.*state and task_delta/,
  },
  {
    name: 'a misspelt option',
    options: { thredId: 'x' },
    says: /^thredId is no option of run: .*\(did you mean "threadId"\?\)$/,
  },
  {
    name: 'an option of the command line',
    options: { 'max-total': 3 },
    says: /^max-total is no option of run: known are threadId, /,
  },
  { name: 'what every object has, as an option', options: { constructor: 5 }, says: /^constructor is no option/ },
  { name: 'options that are a text', options: 'x' as unknown as object, says: /^options of run must be an object$/ },
  { name: 'options of null', options: null as unknown as object, says: /^options of run must be an object$/ },
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

test('undefined counts as left out, even of an option that nobody knows', () => {
  const left = { threadId: undefined, signal: undefined, model: undefined, include: undefined, unknown: undefined }
  assert.equal(check(left), check({}))
})

test('a signal is known by its shape', () => {
  assert.is(check({ signal: { aborted: false, addEventListener: () => {} } }).model, 'main')
})

test('while an edit waits, names may still come, and what no config can make right is refused', () => {
  const early = (options: object) => checkBeforeEdit('do it', options, settings)
  assert.is(early({ model: 'ghost', agent: 'ghost' }).model, 'main')
  for (const options of [{ model: 5 }, { agent: 5 }, { modell: 'ghost' }, { signal: 'x' }])
    assert.throws(
      () => early(options),
      (error: TroupeError) => error.code === 'OPTIONS_INVALID',
    )
})

test('a threadId may have 64 characters', () => {
  assert.is(check({ threadId: 'a'.repeat(64) }).threadId?.length, 64)
})

test.run()
