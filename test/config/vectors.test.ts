import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load.ts'
import { subagentBudget } from '../../src/policy/budget.ts'
import { brief, check, inFolder, KEY, load } from './support.ts'

// Vectors of the reference where Troupe keeps them. CAT-094 is left out: config_version is an unknown key, which is refused.

const AGENT = { description: 'd', system_prompt: 'p' }

const refused: readonly (readonly [id: string, config: object, error: string, said: RegExp])[] = [
  [
    'CAT-009',
    { subagents: { custom_agents: { x: { ...AGENT, max_turns: 0 } } } },
    'subagents.custom_agents.x.max_turns out_of_range',
    /of at least 1, not 0$/,
  ],
  [
    'CAT-010',
    { subagents: { max_total_per_run: 51 } },
    'subagents.max_total_per_run out_of_range',
    /from 1 to 50, not 51$/,
  ],
  ['CAT-011', { subagents: { agents: { bash: { model: '' } } } }, 'subagents.agents.bash.model unknown_model', /""/],
]

for (const [id, config, error, said] of refused) {
  test(`${id}: ${JSON.stringify(config)} is refused`, async () => {
    const report = await check(config)
    assert.equal(brief(report), [error])
    assert.match(report.problems[0]?.message ?? '', said)
  })
}

const budgetOf = ({ subagents, summarization }: Config) =>
  subagentBudget(subagents.token_budget, null, summarization.enabled)

const budgets: readonly (readonly [id: string, config: object, maxTokens: number])[] = [
  ['CAT-012', { subagents: {}, summarization: { enabled: true } }, 1_000_000],
  [
    'CAT-013',
    { subagents: { token_budget: { enabled: true, max_tokens: 420_000 } }, summarization: { enabled: true } },
    420_000,
  ],
]

for (const [id, config, maxTokens] of budgets) {
  test(`${id}: a subagent may use ${maxTokens} tokens`, async () => {
    const budget = budgetOf((await loadConfig({ config, env: KEY })).config)
    assert.equal([budget?.maxTokens, budget?.warnAt, budget?.stopAt], [maxTokens, 0.7, 1])
  })
}

test('CAT-084: an ACP agent has its defaults', async () => {
  const { acp_agents } = await load('acp_agents: {coder: {command: c, description: d}}')
  const { args, env, model, auto_approve_permissions, timeout_seconds } = acp_agents['coder'] ?? {}
  assert.equal([args, env, model, auto_approve_permissions, timeout_seconds], [[], {}, null, false, 1800])
})

test('CAT-093: a config that the environment names and that is not there is an error, whatever else lies there', () =>
  inFolder(async (cwd) => {
    const error = await loadConfig({ cwd, env: { ...KEY, TROUPE_CONFIG: '/nope.yaml' } }).catch((thrown) => thrown)
    assert.match(error.message, 'there is no file /nope.yaml, named by the environment variable TROUPE_CONFIG')
  }))

test('CAT-096: sections without a body are left out, the sandbox too, which has defaults', async () => {
  assert.equal(await load('models:\nmemory:\nsandbox:\n'), await load('lead: {}'))
})

test.run()
