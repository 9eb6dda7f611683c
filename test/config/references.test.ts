import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { brief, check, KEY } from './support.ts'

const AGENT = { description: 'd', system_prompt: 'p' }
const models = [
  { name: 'lead', model: 'm' },
  { name: 'sub', model: 'm' },
]

test('a model that is named must be configured; null, absent and inherit mean that of the lead', async () => {
  const agent = (model?: unknown) => ({ ...AGENT, ...(model !== undefined && { model }) })
  const custom_agents = {
    a: agent(''),
    b: agent('  '),
    c: agent('auto'),
    d: agent('gpt-nope'),
    e: agent('Inherit'),
    f: agent('inherit'),
    g: agent(),
    h: agent(null),
    i: agent('sub'),
  }
  const report = await check({ models, subagents: { custom_agents } })
  assert.equal(
    brief(report),
    ['a', 'b', 'c', 'd', 'e'].map((name) => `subagents.custom_agents.${name}.model unknown_model`),
  )
  for (const { message, level } of report.problems)
    assert.ok(level === 'warning' || message.endsWith('(known: lead, sub)'), message)
})

const refused = [
  {
    name: 'an override of a model that is not there',
    tree: { models, subagents: { agents: { bash: { model: 'subb' } } } },
    said: 'subagents.agents.bash.model unknown_model',
    near: 'sub',
  },
  {
    name: 'a blank override',
    tree: { models, subagents: { agents: { bash: { model: '' } } } },
    said: 'subagents.agents.bash.model unknown_model',
  },
  {
    name: 'a custom agent',
    tree: { models, agents: { x: { ...AGENT, model: 'leed' } } },
    said: 'agents.x.model unknown_model',
    near: 'lead',
  },
  {
    name: 'a summary model',
    tree: { models, summarization: { model_name: 'inherit' } },
    said: 'summarization.model_name unknown_model',
  },
  {
    name: 'a fallback',
    tree: { models: [{ ...models[0], fallbacks: ['sup'] }, models[1]] },
    said: 'models.0.fallbacks.0 unknown_model',
    near: 'sub',
  },
  {
    name: 'a model as its own fallback',
    tree: { models: [{ ...models[0], fallbacks: ['sub', 'lead'] }, models[1]] },
    said: 'models.0.fallbacks.1 invalid_value',
  },
  { name: 'two models of one name', tree: { models: [...models, models[0]] }, said: 'models.2.name duplicate_name' },
  {
    name: 'a model called inherit',
    tree: { models: [{ name: 'inherit', model: 'm' }] },
    said: 'models.0.name invalid_value',
  },
  { name: 'a blank model name', tree: { models: [{ name: ' ', model: 'm' }] }, said: 'models.0.name invalid_value' },
  { name: 'an empty list of models', tree: { models: [] }, said: 'models models_missing' },
  ...['main ', ' main', 'main\n', 'ma\tin'].map((name) => ({
    name: `a model called ${JSON.stringify(name)}`,
    tree: { models: [{ name, model: 'm' }] },
    said: 'models.0.name invalid_value',
  })),
  {
    name: 'a model id with a blank behind it',
    tree: { models: [{ name: 'm', model: 'gpt-5-mini ' }] },
    said: 'models.0.model invalid_value',
  },
  {
    name: 'a model by another case',
    tree: { models, subagents: { agents: { bash: { model: 'Lead' } } } },
    said: 'subagents.agents.bash.model unknown_model',
    near: 'lead',
  },
  {
    name: 'a tool that is not there, in what an agent may use',
    tree: { subagents: { custom_agents: { x: { ...AGENT, tools: ['read_file', 'red_file'] } } } },
    said: 'subagents.custom_agents.x.tools.1 unknown_tool',
    near: 'read_file',
  },
  {
    name: 'a tool that is not there, in what an agent is denied',
    tree: { subagents: { custom_agents: { x: { ...AGENT, disallowed_tools: ['Bash'] } } } },
    said: 'subagents.custom_agents.x.disallowed_tools.0 unknown_tool',
    near: 'bash',
  },
  {
    name: 'a URL that is none',
    tree: { models: [{ ...models[0], base_url: 'localhost:9' }] },
    said: 'models.0.base_url invalid_value',
  },
  {
    name: 'a word that is not offered',
    tree: { subagents: { overflow: 'trimm' } },
    said: 'subagents.overflow invalid_value',
    near: 'trim',
  },
  {
    name: 'a placement of hostTools',
    tree: { tools: [{ name: 't', use: './t.mjs#t', placement: 'host' }] },
    said: 'tools.0.placement invalid_value',
  },
  {
    name: 'a tool without an export',
    tree: { tools: [{ name: 't', use: './t.mjs' }] },
    said: 'tools.0.use invalid_value',
  },
  {
    name: 'a tool name no provider takes',
    tree: { tools: [{ name: 'my tool', use: './t.mjs#t' }] },
    said: 'tools.0.name invalid_value',
  },
  {
    name: 'an agent name with a line break',
    tree: { subagents: { custom_agents: { 'a\nb': AGENT } } },
    said: 'subagents.custom_agents.a\nb invalid_value',
  },
  {
    name: 'a blank description',
    tree: { subagents: { custom_agents: { x: { ...AGENT, description: ' ' } } } },
    said: 'subagents.custom_agents.x.description invalid_value',
  },
  {
    name: 'access to neither all, none nor a list',
    tree: { agents: { x: { ...AGENT, subagents: 'some' } } },
    said: 'agents.x.subagents invalid_value',
  },
  { name: 'a server without a command', tree: { mcp_servers: { s: {} } }, said: 'mcp_servers.s.command required' },
  {
    name: 'an http server without a URL',
    tree: { mcp_servers: { s: { type: 'http', command: 'c' } } },
    said: 'mcp_servers.s.url required',
  },
  {
    name: 'a server of two kinds',
    tree: { mcp_servers: { s: { command: 'c', url: 'http://127.0.0.1' } } },
    said: 'mcp_servers.s.type required',
  },
  {
    name: 'an ACP agent with a blank command',
    tree: { acp_agents: { x: { command: '', description: 'd' } } },
    said: 'acp_agents.x.command invalid_value',
  },
  {
    name: 'args that are no list',
    tree: { acp_agents: { x: { command: 'node', args: '-v', description: 'd' } } },
    said: 'acp_agents.x.args invalid_type',
  },
  { name: 'a database without a URL', tree: { agent_storage: { backend: 'db' } }, said: 'agent_storage.url required' },
  { name: 'an open host without tokens', tree: { http: { host: '0.0.0.0' } }, said: 'http.tokens required' },
  {
    name: 'a mount of a folder that is not there',
    tree: { sandbox: { mounts: [{ host: './nowhere-at-all', path: '/mnt/a' }] } },
    said: 'sandbox.mounts.0.host mount_missing',
  },
  {
    name: 'a mount of a file',
    tree: { sandbox: { mounts: [{ host: './package.json', path: '/mnt/a' }] } },
    said: 'sandbox.mounts.0.host mount_missing',
  },
  {
    name: 'two mounts at one path',
    tree: {
      sandbox: {
        mounts: [
          { host: '.', path: '/mnt/a' },
          { host: './src', path: '/mnt/a' },
        ],
      },
    },
    said: 'sandbox.mounts.1.path duplicate_name',
  },
  ...[
    '/mnt/user-data',
    '/mnt/user-data/outputs',
    '/mnt/skills',
    '/mnt',
    'mnt/a',
    '/mnt/a/',
    '/mnt/../a',
    '/mnt//a',
    '/',
    '',
  ].map((path) => ({
    name: `a mount at "${path}"`,
    tree: { sandbox: { mounts: [{ host: '.', path }] } },
    said: 'sandbox.mounts.0.path invalid_value',
  })),
]

for (const { name, tree, said, near } of refused as readonly {
  name: string
  tree: object
  said: string
  near?: string
}[]) {
  test(`refuses ${name}`, async () => {
    const report = await check(tree)
    assert.equal(brief(report), [said])
    assert.is(report.problems[0]?.nearest, near)
  })
}

const accepted = [
  { name: 'a mount beside what is reserved', tree: { sandbox: { mounts: [{ host: '.', path: '/mnt/user-data-2' }] } } },
  { name: 'a server that is off and empty', tree: { mcp_servers: { s: { enabled: false } } } },
  { name: 'an open host with tokens', tree: { http: { host: '0.0.0.0', tokens: [{ name: 'a', token: 't' }] } } },
  {
    name: 'agents called like what objects have',
    tree: { subagents: { custom_agents: { constructor: AGENT, toString: AGENT } } },
  },
  {
    name: 'an object without a prototype',
    tree: Object.assign(Object.create(null) as object, { lead: { max_turns: 3 } }),
  },
]

for (const { name, tree } of accepted) {
  test(`accepts ${name}`, async () => assert.equal(brief(await check(tree)), []))
}

const known = [
  ['built in', ['ls', 'task', 'web_search', 'invoke_acp_agent']],
  ['in tools', ['lookup']],
  ['of the host', ['db_query']],
  ['of a server', ['files__read', 'files__']],
] as const

for (const [where, tools] of known) {
  test(`a tool ${where} is known by its name`, async () => {
    const config = {
      tools: [{ name: 'lookup', use: './t.mjs#t' }],
      mcp_servers: { files: { command: 'c' } },
      subagents: { custom_agents: { x: { ...AGENT, tools } } },
    }
    const { problems } = await loadConfig({ config, env: KEY, hostTools: ['db_query'] })
    assert.equal(
      problems.filter(({ code }) => code !== 'not_built'),
      [],
    )
  })
}

const warned = [
  {
    name: 'an exemption of a tool that is not there',
    tree: { tool_output: { exempt_tools: ['read_fil'] } },
    said: 'tool_output.exempt_tools.0 unknown_tool',
    near: 'read_file',
  },
  {
    name: 'limits of a tool that is not there',
    tree: { loop_detection: { tool_freq_overrides: { gerp: { warn: 1, hard_limit: 2 } } } },
    said: 'loop_detection.tool_freq_overrides.gerp unknown_tool',
    near: 'grep',
  },
  {
    name: 'an override of an agent that is not there',
    tree: { subagents: { agents: { basj: {} } } },
    said: 'subagents.agents.basj unknown_agent',
    near: 'bash',
  },
  {
    name: 'access to an agent that is not there',
    tree: { agents: { y: AGENT, x: { ...AGENT, subagents: ['bash', 'y', 'general'] } } },
    said: 'agents.x.subagents.2 unknown_agent',
    near: 'general-purpose',
  },
  {
    name: 'an agent on its own access list',
    tree: { agents: { x: { ...AGENT, subagents: ['bash', 'x'] } } },
    said: 'agents.x.subagents.1 names_itself',
  },
  {
    name: 'a group that no tool is in',
    tree: {
      tools: [{ name: 't', use: './t.mjs#t', group: 'web' }],
      agents: { x: { ...AGENT, tool_groups: ['file', 'bash', 'host', 'web', 'fils'] } },
    },
    said: 'agents.x.tool_groups.4 unknown_group',
    near: 'file',
  },
  {
    name: 'a custom agent called like a built-in',
    tree: { subagents: { custom_agents: { bash: AGENT } } },
    said: 'subagents.custom_agents.bash name_taken',
  },
  {
    name: 'a leading agent whose name is taken, which may call the one that has it',
    tree: { subagents: { custom_agents: { x: AGENT } }, agents: { x: { ...AGENT, subagents: ['x'] } } },
    said: 'agents.x name_taken',
  },
  {
    name: 'a tool called like a built-in',
    tree: { tools: [{ name: 'grep', use: './t.mjs#t' }] },
    said: 'tools.0.name name_taken',
  },
  {
    name: 'a second tool of one name',
    tree: {
      tools: [
        { name: 't', use: './t.mjs#t' },
        { name: 't', use: './t.mjs#u' },
      ],
    },
    said: 'tools.1.name name_taken',
  },
]

for (const { name, tree, said, near } of warned as readonly {
  name: string
  tree: object
  said: string
  near?: string
}[]) {
  test(`warns of ${name}`, async () => {
    const report = await check(tree)
    assert.ok(report.ok)
    assert.equal(
      brief(report, 'warning').filter((line) => !line.endsWith('not_built')),
      [said],
    )
    assert.is(report.problems[0]?.nearest, near)
  })
}

test('overrides of custom, leading and managed agents are known', async () => {
  const tree = {
    subagents: { agents: { one: {}, two: {}, three: {} }, custom_agents: { one: AGENT } },
    agents: { two: AGENT },
  }
  const { problems } = await loadConfig({ config: tree, env: KEY, managedAgents: ['three'] })
  assert.equal(
    problems.filter(({ code }) => code !== 'not_built'),
    [],
  )
})

test('a custom agent called like a built-in is left out', async () => {
  const { config } = await loadConfig({ config: { subagents: { custom_agents: { bash: AGENT, x: AGENT } } }, env: KEY })
  assert.equal(Object.keys(config.subagents.custom_agents), ['x'])
})

test('without a model the names of models are not gone through', async () => {
  assert.equal(brief(await check({ subagents: { agents: { bash: { model: 'm' } } } }, {})), ['models models_missing'])
})

test.run()
