import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dispatch } from '../../src/cli/dispatch.ts'
import { widthOf } from '../../src/cli/view/text.ts'
import type { CatalogEntry, RuntimeOptions } from '../../src/contract/api.ts'
import { fakeRuntime, fakeWorld, pipe } from './fake-world.ts'

const entry = (fields: Partial<CatalogEntry>): CatalogEntry => ({
  name: 'general-purpose',
  description: 'Works through a task\nof several steps.',
  source: 'builtin',
  enabled: true,
  available: true,
  unavailable_reason: null,
  conflict_with: null,
  model: 'inherit',
  tools: null,
  disallowed_tools: ['task', 'ask_clarification', 'present_files'],
  skills: null,
  max_turns: 150,
  timeout_seconds: 1800,
  token_budget: 2_000_000,
  overrides: [],
  revision: 1,
  ...fields,
})

const OFF = 'Commands are off. Set sandbox.allow_host_bash: true.'
const TAKEN = 'The name is that of a built-in agent: give this one another.'

const catalog = [
  entry({}),
  entry({
    ...{ name: 'bash', available: false, unavailable_reason: OFF, description: 'Runs commands.' },
    ...{ max_turns: 9, timeout_seconds: 5400, model: 'fast', token_budget: 420_000, tools: ['bash', 'ls'] },
    overrides: ['max_turns', 'timeout_seconds', 'model', 'token_budget'],
  }),
  entry({
    ...{ name: 'twin', source: 'agent', conflict_with: 'builtin', available: false, unavailable_reason: TAKEN },
    ...{ description: 'Twins.', disallowed_tools: ['task', 'web_search'], timeout_seconds: 45, token_budget: null },
  }),
  entry({ name: 'off', enabled: false, source: 'managed', description: 'Off.', tools: ['task'], max_turns: 5 }),
]

const show = async (argv: readonly string[], columns?: number, entries: readonly CatalogEntry[] = catalog) => {
  const fake = fakeRuntime([])
  fake.runtime.subagents = async () => entries
  const stdout = Object.assign(pipe(), columns === undefined ? {} : { isTTY: true, columns })
  const open = async ({ log }: RuntimeOptions) => {
    for (let i = 0; i < 2; i++) log?.('warn', 'is odd', { path: 'agents.twin' })
    log?.('info', 'is fine', { path: 'agents' })
    return fake.runtime
  }
  const { world, stderr } = fakeWorld({ stdout, open, env: { NO_COLOR: '1' } })
  const code = await dispatch(['subagents', ...argv], '1.2.3', world)
  return { code, lines: stdout.text.split('\n'), err: stderr.text, done: fake.done }
}

test('in a pipe the whole catalog is told: limits, changes, tools, and why one cannot be called', async () => {
  const { code, lines, done } = await show([])
  assert.is(code, 0)
  assert.equal(lines, [
    'NAME             STATE     SOURCE   MODEL     TURNS    TIME  TOKENS  TOOLS               DESCRIPTION',
    'general-purpose  ready     builtin  inherit    150     30m      2M   all                 Works through a task of several steps.',
    'bash             off       builtin  fast*        9*  1h30m*   420k*  bash, ls            Runs commands.',
    'twin             taken     agent    inherit    150     45s       -   all but web_search  Twins.',
    'off              disabled  managed  inherit      5     30m      2M   none                Off.',
    '',
    '* set by subagents.agents',
    `bash (off): ${OFF}`,
    `twin (taken): ${TAKEN}`,
    '',
  ])
  assert.equal(done, ['close'])
})

const widths: readonly [columns: number, headings: string][] = [
  [60, 'NAME STATE TURNS TIME DESCRIPTION'],
  [80, 'NAME STATE SOURCE MODEL TURNS TIME DESCRIPTION'],
  [120, 'NAME STATE SOURCE MODEL TURNS TIME TOKENS TOOLS DESCRIPTION'],
  [200, 'NAME STATE SOURCE MODEL TURNS TIME TOKENS TOOLS DESCRIPTION'],
]

for (const [columns, headings] of widths) {
  test(`on a terminal of ${columns} columns it fits, and what says most stays`, async () => {
    const { lines } = await show([], columns)
    for (const line of lines) assert.ok(widthOf(line) <= columns, line)
    assert.is(lines[0]?.trim().split(/ +/).join(' '), headings)
    assert.match(lines.join(' ').replace(/ +/g, ' '), 'Set sandbox.allow_host_bash: true.')
  })
}

test('a catalog in which nothing is odd has no notes', async () => {
  const { lines } = await show([], undefined, [entry({})])
  assert.is(lines.length, 3)
})

test('what is odd in the config is said once, on stderr', async () => {
  for (const argv of [[], ['--json']]) assert.is((await show(argv)).err, 'warning: agents.twin: is odd\n')
})

test('--json prints the catalog as it is', async () => {
  assert.equal(JSON.parse((await show(['--json'])).lines.join('\n')), catalog)
})

test('a name cannot drive the terminal', async () => {
  const { lines } = await show([], 120, [entry({ name: 'a\u001b[2Jb', description: '\u202eevil' })])
  for (const each of ['\u001b', '\u202e']) assert.not.ok(lines.join('\n').includes(each))
})

test.run()
