import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import { keysOf } from '../../src/config/shape.ts'
import { brief, check, KEY, load } from './support.ts'

const defaults = async () => (await loadConfig({ config: {}, env: KEY })).config

for (const section of keysOf(configSchema) ?? []) {
  test(`${section} without a body is ${section} left out`, async () => {
    assert.equal(await load(`${section}:\n`), await defaults())
    assert.equal((await loadConfig({ config: { [section]: null }, env: KEY })).config, await defaults())
    assert.equal((await loadConfig({ config: { [section]: undefined }, env: KEY })).config, await defaults())
  })
}

test('keys without a value have their defaults, at any depth', async () => {
  const text = [
    'subagents:',
    '  agents:',
    '  custom_agents:',
    '  token_budget:',
    '  timeout_seconds:',
    'sandbox:',
    '  mounts:',
    'web:',
    '  search:',
    '    max_results:',
  ]
  assert.equal(await load(text.join('\n')), await defaults())
})

test('an agent without a body lacks what it needs', async () => {
  const report = await check('subagents:\n  custom_agents:\n    ghost:\n')
  assert.equal(brief(report), [
    'subagents.custom_agents.ghost.description required',
    'subagents.custom_agents.ghost.system_prompt required',
  ])
})

test('an override without a body changes nothing', async () => {
  const { subagents } = await load('subagents:\n  agents:\n    bash:\n')
  assert.equal(subagents.agents['bash'], {
    timeout_seconds: null,
    max_turns: null,
    model: null,
    skills: null,
    token_budget: null,
  })
})

test('null and an empty list keep their meanings', async () => {
  const agent = (extra: object) => ({ description: 'd', system_prompt: 'p', ...extra })
  const custom_agents = {
    all: agent({ tools: null, skills: null, disallowed_tools: null }),
    none: agent({ tools: [], skills: [], disallowed_tools: [] }),
    silent: agent({}),
  }
  const { config } = await loadConfig({ config: { subagents: { custom_agents } }, env: KEY })
  const lists = (name: string) => {
    const found = config.subagents.custom_agents[name]
    return [found?.tools, found?.skills, found?.disallowed_tools]
  }
  assert.equal(lists('all'), [null, null, ['task', 'ask_clarification', 'present_files']])
  assert.equal(lists('none'), [[], [], []])
  assert.equal(lists('silent'), lists('all'))
})

test('a value that null switches off is off', async () => {
  assert.is(
    (await load('summarization: {trim_tokens_to_summarize: null}')).summarization.trim_tokens_to_summarize,
    null,
  )
})

test('null is no value of a variable or of an argument', async () => {
  const report = await check('mcp_servers: {s: {command: c, args: [~], env: {A: ~}}}')
  assert.equal(brief(report), ['mcp_servers.s.args.0 invalid_type', 'mcp_servers.s.env.A invalid_type'])
})

for (const text of [
  'models:\nsubagents:\n  agents:\n  custom_agents:\n  token_budget:\nmcp_servers:\nacp_agents:\nskills:\n',
  '',
  '# nothing\n',
]) {
  test(`${JSON.stringify(text.slice(0, 12))} lacks nothing but a model`, async () => {
    const report = await check(text, {})
    assert.equal(brief(report), ['models models_missing'])
    assert.match(report.problems[0]?.message ?? '', /add an entry under models, or set OPENAI_API_KEY/)
    assert.equal(brief(await check(text)), [])
  })
}

test.run()
