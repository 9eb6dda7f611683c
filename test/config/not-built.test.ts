import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { brief, check } from './support.ts'

const AGENT = { description: 'd', system_prompt: 'p' }

const warned: readonly (readonly [path: string, tree: object])[] = [
  ['tools.0.deferred', { tools: [{ name: 't', use: './t.mjs#t', deferred: true }] }],
  ['subagents.agents.bash.skills', { subagents: { agents: { bash: { skills: [] } } } }],
  ['subagents.custom_agents.x.skills', { subagents: { custom_agents: { x: { ...AGENT, skills: [] } } } }],
  ['agents.x.skills', { agents: { x: { ...AGENT, skills: [] } } }],
  ['sandbox.network', { sandbox: { network: true } }],
  ['summarization.skill_file_read_tool_names', { summarization: { skill_file_read_tool_names: ['load'] } }],
  ['skills', { skills: { path: './skills' } }],
  ['mcp_servers', { mcp_servers: { s: { command: 'c' } } }],
  ['http', { http: { port: 1 } }],
]

for (const [path, tree] of warned) {
  test(`${path} is said to be not built yet, once`, async () => {
    const report = await check(tree)
    assert.ok(report.ok)
    assert.equal(brief(report, 'warning'), [`${path} not_built`])
  })
}

const silent: readonly object[] = [
  { models: [{ name: 'm', model: 'm', base_url: 'http://127.0.0.1:9', api_key: 'k', stream_idle_timeout_seconds: 5 }] },
  { tools: [{ name: 't', use: './t.mjs#t', group: 'g', placement: 'worker', timeout_seconds: 5 }] },
  { sandbox: { mounts: [{ host: '.', path: '/mnt/a', writable: true }] } },
  {
    subagents: { overflow: 'queue', custom_agents: { x: { ...AGENT, tools: [], disallowed_tools: [], max_turns: 5 } } },
  },
  { sandbox: { allow_host_bash: true } },
  { subagents: { max_concurrent: 4, max_total_per_run: 7, timeout_seconds: 5, max_turns: 5 } },
  { subagents: { agents: { 'general-purpose': { model: 'inherit', max_turns: 5, timeout_seconds: 5 } } } },
  { agents: { x: { ...AGENT, model: 'default', tool_groups: ['file'], subagents: ['bash'] } } },
  { lead: { max_turns: 5, timeout_seconds: 5 } },
  { models: [{ name: 'm', model: 'm', base_url: 'http://127.0.0.1:9', api_key: 'k', context_window: 8000 }] },
  { subagents: { wrap_up: false, token_budget: { max_tokens: 5000 } } },
  { subagents: { agents: { 'general-purpose': { token_budget: { max_tokens: 5000 } } } } },
  { token_budget: { max_tokens: 5000 } },
  { loop_detection: { enabled: false, tool_freq_overrides: { ls: { warn: 5, hard_limit: 9 } } } },
  { summarization: { enabled: true, trigger: { type: 'messages', value: 50 }, keep: { type: 'tokens', value: 100 } } },
  { runtime: { threads: 1, agents_per_thread: 1, tool_processes: 1, tool_memory_mb: 64, grace_ms: 1, wedged_ms: 500 } },
  { loop_detection: { enabled: true, warn_threshold: 3 }, web: {}, mcp_servers: {}, skills: { path: null } },
]

for (const tree of silent) {
  test(`${JSON.stringify(tree)} acts, or asks for nothing`, async () => assert.equal((await check(tree)).problems, []))
}

test.run()
