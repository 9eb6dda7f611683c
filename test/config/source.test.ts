import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { TroupeError } from '../../src/contract/errors.ts'
import { inFolder, KEY } from './support.ts'

/** A folder with `config.yaml` and two more configs, told apart by the lead's turns. */
const withConfigs = (use: (folder: string) => Promise<void>): Promise<void> =>
  inFolder((folder) => {
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'config.yaml'), 'lead: {max_turns: 1}')
    writeFileSync(join(folder, 'deep', 'named.yaml'), 'lead: {max_turns: 2}')
    writeFileSync(join(folder, 'other.json'), '{"lead": {"max_turns": 3}}')
    return use(folder)
  })

const order = [
  {
    name: 'the option before all else',
    config: 'other.json',
    env: { TROUPE_CONFIG: 'deep/named.yaml' },
    turns: 3,
    base: '',
    file: 'other.json',
  },
  {
    name: '$TROUPE_CONFIG before config.yaml',
    env: { TROUPE_CONFIG: 'deep/named.yaml' },
    turns: 2,
    base: 'deep',
    file: 'deep/named.yaml',
  },
  { name: 'config.yaml of the current folder', env: {}, turns: 1, base: '', file: 'config.yaml' },
  {
    name: 'config.yaml where $TROUPE_CONFIG is empty',
    env: { TROUPE_CONFIG: '' },
    turns: 1,
    base: '',
    file: 'config.yaml',
  },
] as readonly { name: string; config?: string; env: object; turns: number; base: string; file: string }[]

for (const { name, config, env, turns, base, file } of order) {
  test(`reads ${name}`, () =>
    withConfigs(async (cwd) => {
      const loaded = await loadConfig({ config, env: { ...KEY, ...env }, cwd })
      assert.is(loaded.config.lead.max_turns, turns)
      assert.is(loaded.baseDir, join(cwd, base))
      assert.equal(loaded.source, { kind: 'file', path: join(cwd, file) })
    }))
}

test('takes an absolute path, a URL and the text of a URL', () =>
  withConfigs(async (cwd) => {
    const path = join(cwd, 'deep', 'named.yaml')
    for (const config of [path, pathToFileURL(path), pathToFileURL(path).href]) {
      const loaded = await loadConfig({ config, env: KEY, cwd: join(cwd, 'deep') })
      assert.equal([loaded.config.lead.max_turns, loaded.source.path], [2, path])
    }
  }))

test('takes a tree, whose relative paths start from the current folder', () =>
  withConfigs(async (cwd) => {
    const loaded = await loadConfig({ config: { lead: { max_turns: 4 } }, env: KEY, cwd })
    assert.equal(
      [loaded.config.lead.max_turns, loaded.baseDir, loaded.source],
      [4, cwd, { kind: 'object', path: null }],
    )
  }))

test('has defaults where nothing is named and nothing lies there', () =>
  inFolder(async (cwd) => {
    const loaded = await loadConfig({ env: KEY, cwd })
    assert.equal(
      [loaded.config.lead.max_turns, loaded.source, loaded.problems],
      [200, { kind: 'defaults', path: null }, []],
    )
  }))

test('leaves the tree it was given as it is', async () => {
  const tree = { subagents: { agents: { bash: null }, max_turns: null }, sandbox: null }
  const before = structuredClone(tree)
  await loadConfig({ config: tree, env: KEY })
  assert.equal(tree, before)
})

const rejected = async (options: Parameters<typeof loadConfig>[0]): Promise<TroupeError> => {
  try {
    await loadConfig(options)
  } catch (error) {
    assert.instance(error, TroupeError)
    return error as TroupeError
  }
  return assert.unreachable('the config was accepted') as never
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const circular = (): object => {
  const lead: Record<string, unknown> = {}
  lead['self'] = { lead }
  return { lead: { self: lead } }
}

const nested = (depth: number): object => {
  let tree = {}
  for (let level = 0; level < depth; level++) tree = { lead: tree }
  return tree
}

const missing = [
  {
    name: 'a file that the option names',
    options: { config: './nowhere.yaml' },
    said: /there is no file .*nowhere\.yaml, named by the option config/,
  },
  {
    name: 'a file that $TROUPE_CONFIG names',
    options: { env: { TROUPE_CONFIG: 'gone.yaml' } },
    said: /gone\.yaml, named by the environment variable TROUPE_CONFIG/,
  },
  { name: 'a folder', options: { config: '.' }, said: /is a folder, and must be a file/ },
  { name: 'a path without letters', options: { config: '' }, said: /the option config is empty, and must name a file/ },
  { name: 'a path with a zero byte', options: { config: 'a\0b' }, said: /cannot be read: / },
  { name: 'a device that never ends', options: { config: '/dev/zero' }, said: /is longer than 4 MiB/ },
  {
    name: 'a URL that is no file',
    options: { config: new URL('http://127.0.0.1/config.yaml') },
    said: /there is no file http:/,
  },
  { name: 'a list', options: { config: [] }, said: /must be a map, not a list/ },
  { name: 'a function', options: { config: () => {} }, said: /must be a map, not a function/ },
  { name: 'an instance of a class', options: { config: new Map() }, said: /must be a map/ },
  {
    name: 'an instance of a class in a section',
    options: { config: { lead: new Date() } },
    said: /lead: must be a map/,
  },
  {
    name: 'a getter that throws',
    options: {
      config: {
        get lead(): never {
          throw new Error('not now')
        },
      },
    },
    said: /lead: cannot be read: not now/,
  },
  { name: 'a proxy that was revoked', options: { config: revoked() }, said: /cannot be read: .*revoked/ },
  {
    name: 'a proxy that was revoked, in a section',
    options: { config: { lead: revoked() } },
    said: /lead: cannot be read/,
  },
  {
    name: 'a map inside of itself',
    options: { config: circular() },
    said: /lead\.self\.self\.lead: stands inside of itself/,
  },
  { name: 'maps without end', options: { config: nested(100_000) }, said: /stands too deep inside maps and lists/ },
  {
    name: '__proto__ as a key',
    options: { config: JSON.parse('{"subagents": {"custom_agents": {"__proto__": {}}}}') as object },
    said: /subagents\.custom_agents\.__proto__: is not allowed as a key/,
  },
]

for (const { name, options, said } of missing) {
  test(`refuses ${name}`, () =>
    inFolder(async (cwd) => {
      const error = await rejected({ cwd, env: KEY, ...options })
      assert.is(error.code, 'CONFIG_INVALID')
      assert.match(error.message, said)
      assert.is(error.problems.length, 1)
    }))
}

test('refuses a pipe, and does not wait for somebody to write to it', () =>
  inFolder(async (cwd) => {
    execFileSync('mkfifo', [join(cwd, 'config.yaml')])
    assert.match(
      (await rejected({ cwd, env: KEY })).message,
      'is a pipe, and must be a file: write the config into one',
    )
  }))

test('refuses a file that is too long', () =>
  inFolder(async (cwd) => {
    writeFileSync(join(cwd, 'config.yaml'), `lead: {max_turns: 3} #${'x'.repeat(4 * 1024 * 1024)}`)
    assert.match((await rejected({ cwd, env: KEY })).message, 'is longer than 4 MiB')
  }))

test('asks each getter once', async () => {
  let asked = 0
  const config = {
    lead: {
      get max_turns() {
        return asked++ === 0 ? 3 : 'other'
      },
    },
  }
  const loaded = await loadConfig({ config, env: KEY })
  assert.equal([loaded.config.lead.max_turns, asked], [3, 1])
})

test('refuses a file that is not UTF-8', () =>
  inFolder(async (cwd) => {
    writeFileSync(join(cwd, 'config.yaml'), new Uint8Array([0x6c, 0xff, 0xfe]))
    assert.match((await rejected({ cwd, env: KEY })).message, 'is not UTF-8 text')
  }))

test('an error names the file, and each problem on a line of its own', () =>
  inFolder(async (cwd) => {
    writeFileSync(join(cwd, 'config.yaml'), 'lead: {maxTurns: 1}\nsubagents: {max_concurrent: 0, agents: {basj: {}}}')
    const error = await rejected({ cwd, env: KEY })
    assert.equal(error.message.split('\n'), [
      `The config ${join(cwd, 'config.yaml')} has 2 problems:`,
      'subagents.max_concurrent: must be a whole number from 1 to 64, not 0',
      'lead.maxTurns: is not a known key (did you mean "max_turns"?)',
      'warning: subagents.agents.basj: names no known agent: "basj" (known: general-purpose, bash) (did you mean "bash"?)',
    ])
    assert.is(error.problems.length, 3)
  }))

test.run()
