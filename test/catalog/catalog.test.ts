import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgentDefinition } from '../../src/catalog/definition.ts'
import { toCatalogEntry } from '../../src/catalog/entry.ts'
import { FILE_TOOLS } from '../../src/tools/manifest.ts'
import { callable, catalogOf, find } from './support.ts'

const poet = { description: 'Writes verse', system_prompt: 'Rhyme.' }
const DENIED = ['task', 'ask_clarification', 'present_files']
const BASH_TOOLS = ['bash', 'ls', 'read_file', 'write_file', 'str_replace']

const named: readonly [rule: string, config: object, names: string][] = [
  ['CAT-001: no bash without leave to run commands', { sandbox: { allow_host_bash: false } }, 'general-purpose'],
  // No other sandbox is built yet: what would run, would run on the host.
  ['not CAT-002: nor in a sandbox that is only named', { sandbox: { use: 'acme-box#Box' } }, 'general-purpose'],
  ['CAT-003: nor without a sandbox section', {}, 'general-purpose'],
  ['conf-06: bash where commands may run', { sandbox: { allow_host_bash: true } }, 'general-purpose bash'],
  [
    'CAT-002: custom agents stand behind the built-in ones',
    { sandbox: { allow_host_bash: true }, subagents: { custom_agents: { poet } } },
    'general-purpose bash poet',
  ],
  [
    'custom agents come in the order of the config',
    { subagents: { custom_agents: { zed: poet, abe: poet, mid: poet } } },
    'general-purpose zed abe mid',
  ],
  [
    'conf-03, CAT-007: a name of a built-in agent is there once',
    { sandbox: { allow_host_bash: true }, subagents: { custom_agents: { bash: poet, 'general-purpose': poet } } },
    'general-purpose bash',
  ],
  [
    'agents that can lead come last, in the order of the config',
    { agents: { zed: poet, abe: poet }, subagents: { custom_agents: { poet } } },
    'general-purpose poet zed abe',
  ],
  [
    'decision 22: one of them whose name an earlier source has is not callable a second time',
    { agents: { poet, 'general-purpose': poet, own: poet }, subagents: { custom_agents: { poet } } },
    'general-purpose poet own',
  ],
]

for (const [rule, config, names] of named) {
  test(rule, async () => {
    const { subagents } = callable(await catalogOf(config))
    assert.is(subagents.map(({ name }) => name).join(' '), names)
  })
}

const FILES = FILE_TOOLS.map(({ name }) => name)

const resolved: readonly [rule: string, subagents: object, name: string, fields: Partial<AgentDefinition>][] = [
  [
    'conf-01, CAT-004: general-purpose as it is',
    {},
    'general-purpose',
    {
      ...{ source: 'builtin', model: 'inherit', tools: null, skills: null, disallowedTools: DENIED },
      ...{ maxTurns: 150, timeoutSeconds: 1800, overrides: [] },
    },
  ],
  [
    'conf-01, CAT-004: bash as it is',
    {},
    'bash',
    { source: 'builtin', tools: BASH_TOOLS, disallowedTools: DENIED, maxTurns: 60, timeoutSeconds: 1800 },
  ],
  [
    'a custom agent as it is',
    { custom_agents: { poet } },
    'poet',
    {
      ...{ source: 'config', description: 'Writes verse', systemPrompt: 'Rhyme.', model: 'inherit', tools: null },
      ...{ disallowedTools: DENIED, skills: null, maxTurns: 50, timeoutSeconds: 900, overrides: [] },
    },
  ],
  [
    'every field of a custom agent acts',
    {
      custom_agents: {
        poet: {
          ...{ ...poet, model: 'second', tools: ['ls'], disallowed_tools: [], skills: ['meter'] },
          ...{ max_turns: 3, timeout_seconds: 5 },
        },
      },
    },
    'poet',
    { model: 'second', tools: ['ls'], disallowedTools: [], skills: ['meter'], maxTurns: 3, timeoutSeconds: 5 },
  ],
  [
    'limits for all hold for built-ins',
    { timeout_seconds: 240, max_turns: 9 },
    'bash',
    { maxTurns: 9, timeoutSeconds: 240, overrides: [] },
  ],
  [
    'decision 13: but a custom agent keeps its own',
    { timeout_seconds: 240, max_turns: 9, custom_agents: { poet } },
    'poet',
    { maxTurns: 50, timeoutSeconds: 900 },
  ],
  [
    'CAT-006: an override beats both',
    {
      timeout_seconds: 240,
      agents: { poet: { timeout_seconds: 11, skills: ['meter'] } },
      custom_agents: { poet: { ...poet, skills: ['old'] } },
    },
    'poet',
    { timeoutSeconds: 11, skills: ['meter'], maxTurns: 50, model: 'inherit', overrides: ['timeout_seconds', 'skills'] },
  ],
  [
    'conf-05: a custom agent overridden',
    {
      agents: { analysis: { timeout_seconds: 300, skills: ['z'] } },
      custom_agents: { analysis: { ...poet, timeout_seconds: 600 } },
    },
    'analysis',
    { timeoutSeconds: 300, skills: ['z'] },
  ],
  [
    'a built-in overridden, with all that can be',
    {
      agents: {
        bash: { timeout_seconds: 1, max_turns: 2, model: 'second', skills: [], token_budget: { max_tokens: 1000 } },
      },
    },
    'bash',
    {
      ...{ timeoutSeconds: 1, maxTurns: 2, model: 'second', skills: [] },
      overrides: ['timeout_seconds', 'max_turns', 'model', 'skills', 'token_budget'],
    },
  ],
  [
    'null overrides nothing',
    {
      agents: { poet: { skills: null, model: null, max_turns: null } },
      custom_agents: { poet: { ...poet, skills: [] } },
    },
    'poet',
    { skills: [], model: 'inherit', maxTurns: 50, overrides: [] },
  ],
  [
    'decision 22: an agent that can lead, as the subagent that it is too',
    { timeout_seconds: 240, max_turns: 9 },
    'reviewer',
    {
      ...{ source: 'agent', description: 'Reviews', systemPrompt: 'You review.', model: 'inherit', tools: null },
      ...{
        disallowedTools: DENIED,
        skills: null,
        maxTurns: 50,
        timeoutSeconds: 900,
        overrides: [],
        conflictWith: null,
      },
    },
  ],
  ['its groups come to the tools in them', {}, 'clerk', { model: 'second', tools: [...FILES, 'lookup'] }],
  ['no group is no tool', {}, 'thinker', { tools: [], skills: ['logic'] }],
  [
    'it can be overridden like any other',
    { agents: { clerk: { max_turns: 7, timeout_seconds: 8, model: 'main', token_budget: { max_tokens: 1000 } } } },
    'clerk',
    {
      ...{ maxTurns: 7, timeoutSeconds: 8, model: 'main', tools: [...FILES, 'lookup'] },
      overrides: ['timeout_seconds', 'max_turns', 'model', 'token_budget'],
    },
  ],
  [
    'an agent may be called like a property of every object',
    { custom_agents: { constructor: poet } },
    'constructor',
    { maxTurns: 50, overrides: [] },
  ],
]

const models = [
  { name: 'main', model: 'm' },
  { name: 'second', model: 'n' },
]

const agents = {
  reviewer: { description: 'Reviews', system_prompt: 'You review.' },
  clerk: { ...{ description: 'Files', system_prompt: 'You file.', model: 'second' }, tool_groups: ['file', 'web'] },
  thinker: { description: 'Thinks', system_prompt: 'You think.', tool_groups: [], skills: ['logic'] },
}

for (const [rule, subagents, name, fields] of resolved) {
  test(rule, async () => {
    const definition = find(await catalogOf({ models, subagents, agents }), name)
    const told = Object.fromEntries(Object.keys(fields).map((key) => [key, definition[key as keyof AgentDefinition]]))
    assert.equal(told, { ...fields })
  })
}

test('CAT-007: a built-in agent keeps its own text', async () => {
  const mine = { description: 'Mine', system_prompt: 'Mine.' }
  const [own, taken] = await Promise.all([catalogOf({}), catalogOf({ subagents: { custom_agents: { bash: mine } } })])
  assert.equal(find(taken, 'bash'), find(own, 'bash'))
})

test('an override leaves the built-in agent itself as it is', async () => {
  await catalogOf({ subagents: { agents: { bash: { max_turns: 1 } } } })
  assert.is(find(await catalogOf({}), 'bash').maxTurns, 60)
})

test('an entry tells all there is, and the system prompt to administrators alone', async () => {
  const catalog = await catalogOf({ subagents: { agents: { bash: { max_turns: 7 } } } })
  const { description, systemPrompt } = find(catalog, 'bash')
  const entry = {
    ...{ name: 'bash', description, source: 'builtin', enabled: true, available: false, conflict_with: null },
    unavailable_reason:
      'Bash subagent is disabled for LocalSandboxProvider because host bash execution is not a secure sandbox boundary. Switch to AioSandboxProvider for isolated bash access, or set sandbox.allow_host_bash: true only in a fully trusted local environment.',
    ...{ model: 'inherit', tools: BASH_TOOLS, disallowed_tools: DENIED, skills: null, max_turns: 7 },
    ...{ timeout_seconds: 1800, overrides: ['max_turns'], revision: 1 },
  }
  const { token_budget: _, ...told } = toCatalogEntry(find(catalog, 'bash'), false)
  assert.equal(told, entry)
  assert.is(toCatalogEntry(find(catalog, 'bash'), true).system_prompt, systemPrompt)
  const { available, unavailable_reason } = toCatalogEntry(find(catalog, 'general-purpose'), false)
  assert.equal([available, unavailable_reason], [true, null])
})

test('an agent whose name is taken is listed as what it is, with the way out, and an override is not for it', async () => {
  const config = { agents: { bash: agents.reviewer }, subagents: { agents: { bash: { max_turns: 7 } } } }
  const marked = (await catalogOf(config)).map((definition) => toCatalogEntry(definition, true)).at(-1)
  const { name, source, available, unavailable_reason, conflict_with, max_turns, overrides, system_prompt } =
    marked ?? {}
  assert.equal(
    [name, source, available, conflict_with, max_turns, overrides, system_prompt],
    ['bash', 'agent', false, 'builtin', 50, [], 'You review.'],
  )
  assert.match(String(unavailable_reason), /name is that of a built-in agent.*another.*can lead a run/)
})

test('weak point 5: a budget of which only a part is set stays on', async () => {
  const budgets = async (subagents: object, more: object = {}) =>
    (await catalogOf({ models, subagents, agents, ...more })).map(({ name, tokenBudget }) => [
      name,
      tokenBudget?.maxTokens,
    ])
  const compacted = { summarization: { enabled: true } }
  const all = (tokens: number) =>
    ['general-purpose', 'bash', 'reviewer', 'clerk', 'thinker'].map((name) => [name, tokens])
  assert.equal(await budgets({}), all(2_000_000))
  assert.equal(await budgets({}, compacted), all(1_000_000), 'CAT-012')
  assert.equal(await budgets({ token_budget: { max_tokens: 420_000 } }, compacted), all(420_000), 'CAT-013')
  const own = await budgets({ agents: { clerk: { token_budget: { max_tokens: 5000 } } } })
  assert.equal(
    own.filter(([, tokens]) => tokens !== 2_000_000),
    [['clerk', 5000]],
  )
})

/** Decision 25: the same for every config. Who changes a prompt on purpose changes its hash here. */
const PROMPTS = {
  'general-purpose': '5f00cf0d7b6936f59c202ff3b4573fe98da595fb99893f58e18a12a6fa0452d6',
  bash: 'a49f8ba2c757f6a1ffe43e790d54968f3c6355a917ef93c188d03056d2643337',
}

test('the prompts of built-in agents are pinned', async () => {
  const catalog = await catalogOf({})
  const hashes = Object.keys(PROMPTS).map((name) => {
    const { systemPrompt } = find(catalog, name)
    return [name, createHash('sha256').update(systemPrompt).digest('hex')]
  })
  assert.equal(Object.fromEntries(hashes), PROMPTS)
})

for (const name of Object.keys(PROMPTS)) {
  test(`${name} is told its place: no task, no children, the folders`, async () => {
    const { systemPrompt } = find(await catalogOf({}), name)
    const [, restrictions = ''] = /<tool_restrictions>\n([^<]*)<\/tool_restrictions>/.exec(systemPrompt) ?? []
    for (const said of [/task tool is not available/, /never spawn/, /background processes of bash/]) {
      assert.match(restrictions, said)
    }
    for (const said of ['/mnt/user-data/workspace', '../uploads/', '/mnt/user-data/outputs'])
      assert.ok(systemPrompt.includes(said), said)
    assert.not.match(systemPrompt, 'disallowed_tools')
  })
}

test.run()
