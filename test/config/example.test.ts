import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import { pathsOf } from '../../src/config/shape.ts'
import { inFolder, KEY } from './support.ts'

const EXAMPLE = 'config.example.yaml'
const text = readFileSync(EXAMPLE, 'utf8')

type Tree = Record<string, unknown>

/** The example with the entries that are commented out in force. */
const filled = (): Tree => parse(text.replace(/^#(?= {2})/gm, ''), { version: '1.2' }) as Tree

/** What stands at a path in which `*` is the first entry. */
const at = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((below, key) => {
    if (typeof below !== 'object' || below === null) return undefined
    return key === '*' ? Object.values(below)[0] : (below as Tree)[key]
  }, tree)

test('the example loads without a word, and says the defaults', async () => {
  const example = await loadConfig({ config: EXAMPLE, env: {} })
  assert.equal(example.problems, [])
  assert.equal(example.config, (await loadConfig({ config: {}, env: KEY })).config)
})

const ENTRIES = [
  ['tools.*', 'name', 'use'],
  ['subagents.agents.*'],
  ['subagents.custom_agents.*', 'description', 'system_prompt'],
  ['agents.*', 'description', 'system_prompt'],
  ['sandbox.mounts.*', 'host', 'path'],
  ['acp_agents.*', 'command', 'description'],
  ['mcp_servers.*', 'command'],
  ['http.tokens.*', 'name', 'token'],
] as const

for (const [path, ...needed] of ENTRIES) {
  test(`the entry shown for ${path} has the defaults of its keys`, () =>
    inFolder(async (cwd) => {
      mkdirSync(join(cwd, 'data'))
      const load = async (config: Tree) => (await loadConfig({ config, env: {}, cwd })).config
      const least = filled()
      const entry = at(least, path) as Tree
      for (const key of Object.keys(entry)) if (!needed.some((name) => name === key)) delete entry[key]
      assert.equal(await load(filled()), await load(least))
    }))
}

/** Shown as `null`, with their form in the comment. */
const HIDDEN = /^(?:subagents\.agents\.\*\.token_budget|summarization\.trigger)\./

test('every key of the schema stands in the example', () => {
  const known = pathsOf(configSchema).filter((path) => !HIDDEN.test(path) && path !== 'tool_output.tool_overrides.*')
  assert.equal(
    known.filter((path) => at(filled(), path) === undefined),
    [],
  )
})

test('every key of the example has its comment, beside it or above', () => {
  const lines = text.split('\n')
  const bare = lines.filter(
    (line, index) =>
      /^#? *(?:- )?[a-z_]+:/.test(line) && !line.includes(' # ') && !/^# \w/.test(lines[index - 1] ?? ''),
  )
  assert.equal(bare, [])
})

test.run()
