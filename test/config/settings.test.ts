import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { toModelModules } from '../../src/config/model-modules.ts'
import { moduleMissing, resolveUse } from '../../src/config/resolve-use.ts'
import { toModelSettings, toMounts, toRuntimeSettings } from '../../src/config/settings.ts'
import { toToolEntries } from '../../src/config/tools.ts'
import { inFolder, KEY } from './support.ts'

const configOf = async (config: object, cwd?: string) => (await loadConfig({ config, env: KEY, cwd })).config

test('a model has its defaults and milliseconds', async () => {
  const config = await configOf({
    models: [{ name: 'a', model: 'm', stream_idle_timeout_seconds: 0.5, max_retries: 0 }],
  })
  assert.equal(toModelSettings(config, {}, new Map()), [
    {
      name: 'a',
      model: 'm',
      use: null,
      baseUrl: 'https://api.openai.com/v1',
      apiKey: null,
      unset: null,
      maxRetries: 0,
      connectTimeoutMs: 10_000,
      firstByteTimeoutMs: 1000,
      streamIdleTimeoutMs: 500,
      timeoutMs: 600_000,
      reasoningReplay: 'auto',
      fallbacks: [],
    },
  ])
})

test('a model of a LangChain package is found from the folder of the config, and keeps the address it knows', async () => {
  const config = await configOf({ models: [{ name: 'a', model: 'm', use: '@langchain/openai#ChatOpenAI' }] })
  const { modules, problems } = await toModelModules(config, join(process.cwd(), 'src'))
  assert.equal(problems, [])
  const [model] = toModelSettings(config, {}, modules)
  assert.is(model?.baseUrl, '')
  assert.is(model?.use?.export, 'ChatOpenAI')
  assert.match(model?.use?.url ?? '', /^file:.*\/node_modules\/@langchain\/openai\//)
})

for (const [what, use] of [
  ['package', '@nobody/nothing#Chat'],
  ['file', './none.mjs#Chat'],
])
  test(`a model whose ${what} is not there is a problem of the config`, async () => {
    const config = await configOf({ models: [{ name: 'a', model: 'm', use }] })
    const { problems } = await toModelModules(config, process.cwd())
    assert.equal(
      problems.map(({ level, path, code }) => [level, path, code]),
      [['error', 'models.0.use', 'module_missing']],
    )
  })

const missing: readonly [use: string, says: RegExp, nearest: string | undefined][] = [
  [
    '@nobody/nothing/deep#x',
    /^cannot be found: the package @nobody\/nothing is not installed for .* \(npm install @nobody\/nothing\)/,
    undefined,
  ],
  ['src/index.ts#x', /^cannot be found: the package src is not installed/, './src/index.ts#x'],
]
for (const [use, says, nearest] of missing) {
  test(`where ${use} is not found, the way out is told`, async () => {
    const thrown = await resolveUse(use, process.cwd()).catch((error: unknown) => error)
    const problem = moduleMissing('tools.0.use', use, process.cwd(), thrown)
    assert.match(problem.message, says)
    assert.is(problem.nearest, nearest)
  })
}

test('mounts are absolute, seen from the config', () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, 'data'))
    const mounts = [
      { host: './data', path: '/mnt/data', writable: true },
      { host: folder, path: '/mnt/all' },
    ]
    const config = await configOf({ sandbox: { mounts } }, folder)
    assert.equal(toMounts(config, folder), [
      { host: join(folder, 'data'), path: '/mnt/data', writable: true, hidden: [] },
      { host: folder, path: '/mnt/all', writable: false, hidden: [] },
    ])
  }))

const sizes = [
  { cores: 1, threads: 1, toolProcesses: 2 },
  { cores: 2, threads: 1, toolProcesses: 2 },
  { cores: 4, threads: 3, toolProcesses: 4 },
  { cores: 64, threads: 4, toolProcesses: 64 },
]

for (const { cores, threads, toolProcesses } of sizes) {
  test(`${cores} cores make ${threads} threads and ${toolProcesses} tool processes`, async () => {
    assert.equal(toRuntimeSettings(await configOf({}), cores), {
      threads,
      agentsPerThread: 500,
      toolProcesses,
      toolMemoryMb: 512,
      commands: 128,
      graceMs: 2000,
      wedgedMs: 10_000,
    })
  })
}

test('sizes that are given hold whatever the cores', async () => {
  const { threads, toolProcesses } = toRuntimeSettings(
    await configOf({ runtime: { threads: 7, tool_processes: 1 } }),
    2,
  )
  assert.equal([threads, toolProcesses], [7, 1])
})

test('tools keep the path of their entry, and names that are taken are left out', async () => {
  const tool = (name: string, extra: object = {}) => ({ name, use: './t.mjs#t', ...extra })
  const config = await configOf({
    tools: [
      tool('grep'),
      tool('mine'),
      tool('a', { placement: 'worker', timeout_seconds: 1.5, group: 'g' }),
      tool('a'),
      { name: 'b', use: 'no-such-package#b' },
    ],
  })
  const { tools, problems } = await toToolEntries(config, '/base', ['mine'])
  assert.equal(tools, [
    {
      path: 'tools.2',
      name: 'a',
      group: 'g',
      module: { url: pathToFileURL('/base/t.mjs').href, export: 't' },
      placement: 'worker',
      timeoutMs: 1500,
      deferred: false,
    },
  ])
  assert.equal(
    problems.map(({ level, path, code }) => `${level} ${path} ${code}`),
    ['warning tools.1.name name_taken', 'error tools.4.use module_missing'],
  )
})

// CAT-038, of tools of MCP servers, is for whoever builds those; among tools of the config and the host the first wins, above.
for (const [allow_host_bash, names] of [
  [false, ['other']],
  [true, ['sh2', 'other']],
] as const) {
  test(`CAT-037: with allow_host_bash: ${allow_host_bash} the tools of the group bash are ${allow_host_bash ? 'there' : 'left out'}`, async () => {
    const tools = [
      { name: 'sh2', group: 'bash', use: './t.mjs#t' },
      { name: 'ls', group: 'file:read', use: './t.mjs#t' }, // a built-in has the name
      { name: 'other', group: 'file:read', use: './t.mjs#t' },
    ]
    const found = await toToolEntries(await configOf({ tools, sandbox: { allow_host_bash } }), '/base')
    assert.equal(
      found.tools.map(({ name }) => name),
      names,
    )
    assert.equal(
      found.problems.map(({ level, path, code }) => `${level} ${path} ${code}`),
      allow_host_bash ? [] : ['warning tools.0.group commands_off'],
    )
  })
}

const uses = [
  ['./t.mjs#t', '/base/t.mjs', 't'],
  ['../t.mjs#default', '/t.mjs', 'default'],
  ['/abs/t.mjs#a.b', '/abs/t.mjs', 'a.b'],
  ['file:///abs/t.mjs#t', '/abs/t.mjs', 't'],
] as const

for (const [use, path, name] of uses) {
  test(`${use} is ${name} of ${path}`, async () => {
    assert.equal(await resolveUse(use, '/base'), { url: pathToFileURL(path).href, export: name })
  })
}

test('a package that only import can load is found from the folder of the config', async () => {
  const { url, export: name } = await resolveUse('@langchain/core/tools#tool', join(process.cwd(), 'src'))
  assert.match(url, /node_modules\/@langchain\/core\/dist\/tools\/index\.js$/)
  assert.is(name, 'tool')
})

test.run()
