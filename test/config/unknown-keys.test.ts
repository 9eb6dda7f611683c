import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { describeProblem } from '../../src/config/load.ts'
import { nearest } from '../../src/config/nearest.ts'
import { brief, check } from './support.ts'

const misspelt = [
  ['subagents.timeout_second', 'timeout_seconds', { subagents: { timeout_second: 60 } }],
  ['subagents.maxTurns', 'max_turns', { subagents: { maxTurns: 5 } }],
  ['subagents.max-concurrent', 'max_concurrent', { subagents: { 'max-concurrent': 5 } }],
  ['subagents.concurrent', 'max_concurrent', { subagents: { concurrent: 5 } }],
  ['subagents.agents.bash.maxTurn', 'max_turns', { subagents: { agents: { bash: { maxTurn: 5 } } } }],
  ['models.0.apiKey', 'api_key', { models: [{ name: 'm', model: 'm', apiKey: 'k' }] }],
  ['models.0.baseURL', 'base_url', { models: [{ name: 'm', model: 'm', baseURL: 'http://127.0.0.1' }] }],
  ['sandbox.mounts.0.writeable', 'writable', { sandbox: { mounts: [{ host: '.', path: '/mnt/a', writeable: true }] } }],
  ['summarization.trigger.0.typ', 'type', { summarization: { trigger: [{ type: 'tokens', value: 9, typ: 'x' }] } }],
  ['summarization.keep.values', 'value', { summarization: { keep: { type: 'tokens', value: 9, values: 1 } } }],
  ['toolSearch', 'tool_search', { toolSearch: { enabled: true } }],
  ['subagent', 'subagents', { subagent: {} }],
  ['custom_agents', 'subagents.custom_agents', { custom_agents: {} }],
  ['bash_timeout_seconds', 'sandbox.bash_timeout_seconds', { bash_timeout_seconds: 5 }],
  ['runtime.max_concurrent', 'subagents.max_concurrent', { runtime: { max_concurrent: 5 } }],
] as const

for (const [path, near, tree] of misspelt) {
  test(`${path} is refused and ${near} offered`, async () => {
    const { ok, problems } = await check(tree)
    const [problem, ...more] = problems.filter(({ code }) => code === 'unknown_key')
    assert.equal([ok, more], [false, []])
    assert.equal([problem?.path, problem?.nearest], [path, near])
    assert.is(
      problem === undefined ? '' : describeProblem(problem),
      `${path}: is not a known key (did you mean "${near}"?)`,
    )
  })
}

const offers = [
  ['subagents.overflow', 'Queue', 'queue', { subagents: { overflow: 'Queue' } }],
  ['sandbox.use', 'bubblewarp', 'bubblewrap', { sandbox: { use: 'bubblewarp' } }],
  ['models.0.reasoning_replay', 'Auto', 'auto', { models: [{ name: 'm', model: 'm', reasoning_replay: 'Auto' }] }],
  [
    'agents.x.subagents',
    'None',
    'none',
    { agents: { x: { description: 'd', system_prompt: 'p', subagents: 'None' } } },
  ],
  ['mcp_servers.x.type', 'htpp', 'http', { mcp_servers: { x: { type: 'htpp', url: 'http://127.0.0.1' } } }],
] as const

for (const [path, word, near, tree] of offers) {
  test(`for ${word} at ${path} the word ${near} is offered`, async () => {
    const [problem] = (await check(tree)).problems
    assert.equal([problem?.path, problem?.level, problem?.nearest], [path, 'error', near])
  })
}

test('twenty thousand unknown keys are all named', async () => {
  const tree = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key_${index}`, 1]))
  assert.is((await check(tree)).problems.length, 20_000)
})

test('an unknown key that is like none gets no offer', async () => {
  const { problems } = await check({ lead: { colour: 'red' } })
  assert.equal(problems, [{ level: 'error', path: 'lead.colour', code: 'unknown_key', message: 'is not a known key' }])
})

for (const key of ['system_prompt', 'description', 'tools', 'disallowed_tools']) {
  test(`${key} of a built-in agent is refused with the way out`, async () => {
    const { problems } = await check({ subagents: { agents: { bash: { [key]: 'mine' } } } })
    assert.equal([problems[0]?.path, problems[0]?.level], [`subagents.agents.bash.${key}`, 'error'])
    assert.match(problems[0]?.message ?? '', 'subagents.custom_agents')
  })
}

test('all problems are told at once, errors first', async () => {
  const report = await check({
    models: [{ name: 'lead', model: 'lead' }],
    subagents: {
      timeout_second: 60,
      maxTurns: 5,
      agents: {
        'genral-purpose': { max_turns: 2 },
        bash: { system_prompt: 'hacked', timeout_seconds: 5 },
        'general-purpose': { model: 'lead', skills: [], token_budget: { max_tokens: 1000 } },
      },
      custom_agents: { bash: { description: 'mine', system_prompt: 'mine' } },
    },
    token_budget: { max_tokens: 1 },
    lead: { max_turns: 'many' },
    agents: { reviewer: { description: 'd', system_prompt: 'p', model: 'other' } },
  })
  assert.equal(brief(report).sort(), [
    'agents.reviewer.model unknown_model',
    'lead.max_turns invalid_type',
    'subagents.agents.bash.system_prompt unknown_key',
    'subagents.maxTurns unknown_key',
    'subagents.timeout_second unknown_key',
    'token_budget.max_tokens out_of_range',
  ])
  assert.equal(
    brief(report, 'warning').filter((line) => !line.endsWith('not_built')),
    ['subagents.agents.genral-purpose unknown_agent', 'subagents.custom_agents.bash name_taken'],
  )
  assert.is(
    report.problems.findLastIndex(({ level }) => level === 'error'),
    5,
  )
})

const words = [
  ['maxTurns', 'max_turns'],
  ['MAX_TURNS', 'max_turns'],
  ['max turns', 'max_turns'],
  ['max_tunrs', 'max_turns'],
  ['turns', 'max_turns'],
  ['timeout', 'timeout_seconds'],
  ['genral-purpose', 'general-purpose'],
  ['ful', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
] as const

for (const [word, near] of words) {
  test(`"${word.slice(0, 20)}" is near to ${near ?? 'nothing'}`, () => {
    assert.is(nearest(word, ['max_turns', 'timeout_seconds', 'general-purpose', '']), near)
  })
}

test.run()
