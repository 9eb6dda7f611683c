import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import type { RunOptions } from '../../src/contract/api.ts'
import type { ThreadSettings } from '../../src/contract/settings.ts'
import type { ToolSpec } from '../../src/contract/tools.ts'
import { effectivePolicies, planLead, planTask } from '../../src/runtime/plan.ts'
import { checkRunOptions } from '../../src/runtime/run-options.ts'
import { createRunSettings } from '../../src/runtime/settings.ts'
import type { Assignment, Plan, RunState } from '../../src/runtime/tracked.ts'
import { BASH_TOOL, FILE_TOOLS } from '../../src/tools/manifest.ts'
import { TASK_TOOL } from '../../src/tools/task-tool.ts'

const agent = { description: 'd', system_prompt: 'You help.' }

const subsets = (groups: readonly string[]): readonly (readonly string[])[] =>
  groups.reduce<readonly (readonly string[])[]>((sets, group) => sets.flatMap((set) => [set, [...set, group]]), [[]])

const GROUPS = [null, ...subsets(['file', 'bash', 'web', 'host'])]
const LISTS = [null, [], ['task', 'ls', 'web_fetch'], ['bash', 'web_search', 'present_files', 'invoke_acp_agent']]

/** An agent that leads for every set of groups, and a custom one for every list of tools that a child may be given. */
const agents = Object.fromEntries(GROUPS.map((tool_groups, index) => [`lead-${index}`, { ...agent, tool_groups }]))
const custom_agents = Object.fromEntries(
  LISTS.flatMap((tools, index) => [
    [`open-${index}`, { ...agent, tools, disallowed_tools: [] }],
    [`deny-${index}`, { ...agent, tools, disallowed_tools: ['ls', 'web_search'] }],
  ]),
)

const tool = (name: string, group: string | null): ToolSpec => ({ ...BASH_TOOL, name, group })
const TOOLS = [
  ...[TASK_TOOL, ...FILE_TOOLS, BASH_TOOL, tool('web_search', 'web'), tool('of_the_host', 'host'), tool('loose', null)],
  ...[tool('present_files', null), tool('server__find', 'server'), tool('invoke_acp_agent', null)],
]

const settingsOf = async (config: object) => {
  const loaded = await loadConfig({ config, env: { OPENAI_API_KEY: 'k' } })
  const mounts = [{ host: '/h', path: '/mnt/project', writable: false, hidden: [] }]
  const thread = { revision: 1, models: loaded.config.models, tools: TOOLS, mounts } as unknown as ThreadSettings
  return createRunSettings(loaded.config, thread)
}

type Settings = Awaited<ReturnType<typeof settingsOf>>

/** A lead as planned, and what it comes to when its `task` asks for a type. */
const open = (settings: Settings, options: RunOptions = {}) => {
  const run = { settings, conversation: { recall: () => null } } as unknown as RunState
  const checked = checkRunOptions('do it', options, settings)
  const lead = planLead(run, 'do it', checked)
  run.lead = lead as Assignment
  const ask = { callId: 'c', description: 'd', prompt: 'p', maxTurns: null }
  return {
    ...lead.envelope,
    policies: effectivePolicies(settings, checked),
    task: (subagentType: string) => planTask(run, { ...ask, subagentType }),
  }
}

const isPlan = (plan: Plan | { readonly error: string }): plan is Plan => !('error' in plan)

test('weak point 3: whoever leads and whoever is called, a child never has what its parent had not, nor task', async () => {
  const settings = await settingsOf({ agents, sandbox: { allow_host_bash: true }, subagents: { custom_agents } })
  let pairs = 0
  for (const name of [undefined, ...Object.keys(agents)]) {
    const lead = open(settings, name === undefined ? {} : { agent: name })
    for (const type of lead.delegation?.types ?? []) {
      const child = lead.task(type)
      assert.ok(isPlan(child), `${name} calls ${type}`)
      if (!isPlan(child)) continue
      const beyond = child.envelope.tools.filter((each) => each === 'task' || !lead.tools.includes(each))
      assert.equal(beyond, [], `${name} calls ${type}`)
      assert.is(child.envelope.delegation, null)
      pairs++
    }
  }
  assert.ok(pairs > 400, `${pairs} pairs`)
})

const config = {
  sandbox: { allow_host_bash: true },
  models: [
    { name: 'main', model: 'm' },
    { name: 'second', model: 'n' },
  ],
  subagents: { custom_agents: { poet: { ...agent, tools: ['web_search', 'ls'], disallowed_tools: [] } } },
  agents: {
    reviewer: {
      ...agent,
      system_prompt: 'You review.',
      model: 'second',
      tool_groups: ['file'],
      subagents: ['poet', 'clerk'],
    },
    clerk: { ...agent, system_prompt: 'You file.', tool_groups: ['web', 'bash'] },
    loner: { ...agent, subagents: 'none' },
    lost: { ...agent, subagents: ['ghost', 'lost'] },
    thinker: { ...agent, tool_groups: [] },
  },
}

const FILES = FILE_TOOLS.map(({ name }) => name)

type Scope = readonly [rule: string, options: RunOptions, tools: readonly string[], types: readonly string[] | null]

const ALL = TOOLS.map(({ name }) => name)
const others = (own: string): readonly string[] =>
  ['general-purpose', 'bash', 'poet', ...Object.keys(config.agents)].filter((name) => name !== own)

const scopes: readonly Scope[] = [
  ['the default lead has all', {}, ALL, others('')],
  ['without subagents it has no task', { subagentEnabled: false }, ALL.slice(1), null],
  ['groups and an access list narrow', { agent: 'reviewer' }, ['task', ...FILES], ['poet', 'clerk']],
  ['no agent calls itself', { agent: 'clerk' }, ['task', 'bash', 'web_search'], others('clerk')],
  ['access to none withdraws task', { agent: 'loner' }, ALL.slice(1), null],
  ['so does access to nobody who is there', { agent: 'lost' }, ALL.slice(1), null],
  ['no group leaves task alone', { agent: 'thinker' }, ['task'], others('thinker').filter((name) => name !== 'bash')],
]

for (const [rule, options, tools, types] of scopes) {
  test(rule, async () => {
    const lead = open(await settingsOf(config), options)
    assert.equal(lead.tools, tools)
    assert.equal(lead.delegation?.types ?? null, types)
    assert.equal(lead.policies.subagents, types ?? [])
    const listed = [...lead.system.matchAll(/^- \*\*(.+)\*\*: /gm)].map(([, name]) => name)
    assert.equal(listed, types ?? [])
  })
}

test('effective policies are those of the agent that leads', async () => {
  const settings = await settingsOf({
    agents: { x: { ...agent, tool_groups: ['file'], skills: ['a'], subagents: [] } },
  })
  assert.equal(open(settings, { agent: 'x' }).policies, { subagents: [], skills: ['a'], tool_groups: ['file'] })
  const { skills, tool_groups } = open(settings).policies
  assert.equal([skills, tool_groups], [null, null])
})

test('an agent that leads has its own words, model and name, and is told of folders only where it reaches them', async () => {
  const settings = await settingsOf(config)
  const reviewer = open(settings, { agent: 'reviewer' })
  assert.equal([reviewer.agent, reviewer.model, reviewer.role], ['reviewer', 'second', 'lead'])
  assert.match(reviewer.system, /^You review\.\n\nFiles\n.*\/mnt\/project.*\n\n<subagent_system>/s)
  const thinker = open(settings, { agent: 'thinker' })
  assert.match(thinker.system, /^You help\.\n\n<subagent_system>/)
  assert.equal([thinker.model, open(settings).agent], ['main', 'lead'])
})

test('weak point 3: a hidden agent is refused like one that does not exist, and nothing names it', async () => {
  const off = { ...config, sandbox: { allow_host_bash: false } }
  const lead = open(await settingsOf(off), { agent: 'reviewer' })
  for (const hidden of ['general-purpose', 'bash', 'loner', 'reviewer', 'ghost'])
    assert.equal(lead.task(hidden), { error: `Unknown subagent type '${hidden}'. Available: poet, clerk` })
  assert.not.match(JSON.stringify([lead.system, lead.delegation, lead.policies]), /general-purpose|bash|loner/)
})

test('decision 22: an agent of the section agents is a subagent inside its parent’s scope', async () => {
  const settings = await settingsOf({ ...config, subagents: { agents: { clerk: { max_turns: 7 } } } })
  const clerk = (options: RunOptions) => {
    const child = open(settings, options).task('clerk')
    if (!isPlan(child)) throw new Error(child.error)
    return child
  }
  const { limits, modelName, envelope } = clerk({ model: 'second' })
  assert.equal([limits.max_turns, limits.timeout_seconds, modelName], [7, 900, 'second'])
  assert.match(envelope.system, /^You file\.\n\nYou work here as a subagent/)
  assert.equal(envelope.tools, ['bash', 'web_search'])
  assert.equal(
    clerk({ agent: 'reviewer' }).envelope.tools,
    [],
    'bash and web_search are not among the tools of its parent',
  )
})

test.run()
