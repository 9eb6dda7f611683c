import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type AnySchema } from 'ajv'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { configSchema } from '../../src/config/schema.ts'
import { pathsOf } from '../../src/config/shape.ts'
import { brief, check } from './support.ts'

const file = createRequire(import.meta.url).resolve('troupe/config.schema.json')
const schema = JSON.parse(readFileSync(file, 'utf8')) as AnySchema & object
const validate = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema)

const faults = (tree: unknown): readonly string[] => {
  validate(tree)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const example = readFileSync('config.example.yaml', 'utf8')
const filled = example.replace(/^#(?= {2})/gm, '')

for (const [name, text] of [
  ['the example', example],
  ['the example with its entries', filled],
  ['nothing', ''],
]) {
  test(`${name} is valid`, () => assert.equal(faults(parse(text ?? '', { merge: true }) ?? {}), []))
}

const AGENT = { description: 'd', system_prompt: 'p' }
const MODEL = { name: 'm', model: 'm' }

const valid: readonly object[] = [
  { models: null, tools: null, subagents: null, lead: null, agents: null, http: null, runtime: null, sandbox: null },
  { models: [{ ...MODEL, use: null, base_url: null, api_key: '$KEY', max_retries: null, fallbacks: null }] },
  { models: [{ ...MODEL, base_url: 'https://127.0.0.1/v1', reasoning_replay: true }] },
  { subagents: { agents: { bash: null }, custom_agents: { x: { ...AGENT, tools: null, disallowed_tools: null } } } },
  { subagents: { overflow: null, token_budget: { max_tokens: 1000, warn_threshold: null } } },
  { agents: { x: { ...AGENT, subagents: ['bash'], tool_groups: [], model: null } } },
  { summarization: { trigger: { type: 'messages', value: 5 }, trim_tokens_to_summarize: null } },
  { summarization: { trigger: [{ type: 'fraction', value: 0.5 }], keep: null } },
  {
    sandbox: {
      use: './box.mjs#box',
      env: { GH_TOKEN: '$GH_TOKEN' },
      mounts: [{ host: '.', path: '/mnt/user-data-2' }],
    },
  },
  { mcp_servers: { s: null, t: { command: 'c', args: ['$A'], headers: { A: 'b' } } } },
  { tool_output: { tool_overrides: { bash: 0 }, exempt_tools: [] } },
  { http: { port: 0, tokens: [{ name: 'a', token: '$T', role: null }] } },
]

for (const tree of valid) {
  test(`${JSON.stringify(tree)} is in order for both`, async () => {
    assert.equal(faults(tree), [])
    // What only `check` can say is about what stands elsewhere.
    assert.equal(
      brief(await check(tree)).filter((line) => !/ required$/.test(line)),
      [],
    )
  })
}

const invalid: readonly (readonly [at: string, tree: object])[] = [
  ['', { subagent: {} }],
  ['/lead', { lead: { maxTurns: 1 } }],
  ['/lead/max_turns', { lead: { max_turns: 0 } }],
  ['/lead/max_turns', { lead: { max_turns: 1.5 } }],
  ['/lead/max_turns', { lead: { max_turns: '5' } }],
  ['/lead/timeout_seconds', { lead: { timeout_seconds: 31_536_001 } }],
  ['/lead', { lead: [] }],
  ['/models', { models: {} }],
  ['/models/0', { models: [null] }],
  ['/models/0', { models: [{ name: 'm' }] }],
  ['/models/0/name', { models: [{ name: null, model: 'm' }] }],
  ['/models/0/name', { models: [{ name: ' ', model: 'm' }] }],
  ['/models/0/name', { models: [{ name: 'm\n', model: 'm' }] }],
  ['/models/0/base_url', { models: [{ ...MODEL, base_url: 'localhost:1' }] }],
  ['/models/0/api_key', { models: [{ ...MODEL, api_key: 'two\nlines' }] }],
  ['/models/0/use', { models: [{ ...MODEL, use: './no-export.mjs' }] }],
  ['/models/0/reasoning_replay', { models: [{ ...MODEL, reasoning_replay: 'Auto' }] }],
  ['/tools/0/name', { tools: [{ name: 'my tool', use: './t.mjs#t' }] }],
  ['/tools/0/placement', { tools: [{ name: 't', use: './t.mjs#t', placement: 'host' }] }],
  ['/subagents/overflow', { subagents: { overflow: 'trimm' } }],
  ['/subagents/agents/bash', { subagents: { agents: { bash: { system_prompt: 'mine' } } } }],
  ['/subagents/custom_agents/x', { subagents: { custom_agents: { x: null } } }],
  ['/subagents/custom_agents/x', { subagents: { custom_agents: { x: { description: 'd' } } } }],
  ['/subagents/custom_agents', { subagents: { custom_agents: { 'a\nb': AGENT } } }],
  ['/agents/x/subagents', { agents: { x: { ...AGENT, subagents: 'some' } } }],
  ['/sandbox/mounts/0/path', { sandbox: { mounts: [{ host: '.', path: '/mnt/../etc' }] } }],
  ['/sandbox/mounts/0/path', { sandbox: { mounts: [{ host: '.', path: '/mnt/user-data/x' }] } }],
  ['/sandbox/mounts/0/path', { sandbox: { mounts: [{ host: '.', path: '/mnt' }] } }],
  ['/sandbox/use', { sandbox: { use: 'docker' } }],
  ['/sandbox/env', { sandbox: { env: { 'not-a-name': 'x' } } }],
  ['/mcp_servers/s/args/0', { mcp_servers: { s: { command: 'c', args: [null] } } }],
  ['/token_budget/max_tokens', { token_budget: { max_tokens: 999 } }],
  ['/tool_output/storage_subdir', { tool_output: { storage_subdir: '../x' } }],
  ['/http/tokens/0/token', { http: { tokens: [{ name: 'a', token: '' }] } }],
]

for (const [at, tree] of invalid) {
  test(`${JSON.stringify(tree)} is refused by both`, async () => {
    assert.not.ok((await check(tree)).ok, 'by check')
    assert.ok(
      faults(tree).some((fault) => fault.startsWith(`${at} `)),
      `by the schema, at ${at}: ${faults(tree).join('; ')}`,
    )
  })
}

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | false
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

const below = (node: Node, key: string): Node | undefined =>
  (key === '*' ? node.additionalProperties || node.items : node.properties?.[key]) ??
  node.anyOf?.map((each) => below(each, key)).find((found) => found !== undefined)

/** Shown by one line for all their keys. */
const SHARED = /^(?:subagents\.agents\.\*\.token_budget|summarization\.trigger)\./

for (const path of pathsOf(configSchema).filter((each) => !SHARED.test(each))) {
  test(`${path} has its line of the example`, () => {
    const found = path.split('.').reduce<Node | undefined>((node, key) => node && below(node, key), schema as Node)
    assert.ok(found, 'is in the schema')
    const isKey = !path.endsWith('*')
    if (isKey)
      assert.ok(example.replaceAll(/\s*\n# ?/g, ' ').includes(found?.description ?? 'none'), found?.description)
  })
}

test.run()
