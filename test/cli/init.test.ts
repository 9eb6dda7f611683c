import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dispatch } from '../../src/cli/dispatch.ts'
import { loadConfig } from '../../src/config/load.ts'
import { fakeWorld } from './fake-world.ts'

const test = suite('troupe init', { folder: '' })

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'troupe-init-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const troupe = async (cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const packageFile = async (name: string) => readFileSync(name, 'utf8')
  const { world, stdout, stderr } = fakeWorld({ cwd, env, packageFile })
  const code = await dispatch(argv, '1', world)
  return { code, out: stdout.text, err: stderr.text }
}

const written = [
  { name: 'the starter config', args: [], file: 'config.yaml', env: {} },
  { name: 'every key', args: ['--full'], file: 'config.yaml', env: {} },
  { name: 'another file', args: ['--config', 'my conf.yaml'], file: 'my conf.yaml', env: {} },
  {
    name: 'the endpoint at hand',
    args: [],
    file: 'config.yaml',
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'mine' },
  },
  {
    name: 'every key, and the endpoint at hand',
    args: ['--full'],
    file: 'config.yaml',
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'mine' },
  },
]
const takenOver = [
  ['OPENAI_BASE_URL', 'base_url', 'base_url: https://api.openai.com/v1'],
  ['OPENAI_MODEL', 'model', 'model: gpt-5-mini'],
] as const
for (const { name, args, file, env } of written) {
  test(`${name}: without a problem, and with a schema for editors`, async ({ folder }) => {
    const { code, out, err } = await troupe(folder, ['init', ...args], env)
    assert.is(code, 0, err)
    assert.ok(out.startsWith(`Wrote ${file}.`))
    const text = readFileSync(join(folder, file), 'utf8')
    assert.ok(text.startsWith('# yaml-language-server: $schema=./node_modules/troupe/dist/config.schema.json\n'))
    const keyed = { ...env, OPENAI_API_KEY: 'k' }
    for (const [variable, key, otherwise] of takenOver) {
      const isSet = Object.hasOwn(env, variable)
      const line = isSet ? `${key}: $${variable}` : otherwise
      assert.match(text, new RegExp(`^( {2}- | {4})(# )?${line.replaceAll('$', '\\$')}\\b`, 'm'))
      assert.is(new RegExp(`taken over from .*${variable}`).test(out), isSet, out)
    }
    assert.is(out.includes('prompts go to api.openai.com'), !('OPENAI_BASE_URL' in env), out)
    const { out: checked } = await troupe(folder, ['check', '--config', file], keyed)
    assert.is(checked, 'The config is in order.\n')
  })
}

test('the starter config uses what the environment names, and changes no default', async ({ folder }) => {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'mine' }
  const bare = await loadConfig({ env, cwd: folder })
  await troupe(folder, ['init'], env)
  const { config } = await loadConfig({ env, cwd: folder })
  const [model] = config.models
  assert.equal({ ...model, name: 'default' }, bare.config.models[0])
  assert.equal(Object.keys(config.subagents.custom_agents), ['reviewer'])
  const subagents = { ...config.subagents, custom_agents: {} }
  assert.equal({ ...config, models: [], subagents }, { ...bare.config, models: [] })
})

const nexts = [
  { argv: ['init'], env: {}, next: ['  export OPENAI_API_KEY=...', '  troupe check', '  troupe run "What'] },
  { argv: ['init'], env: { OPENAI_API_KEY: 'k' }, next: ['  troupe check', '  troupe run "What'] },
  {
    argv: ['init', '--config', 'b c.yaml'],
    env: { OPENAI_API_KEY: 'k' },
    next: ["  troupe check --config 'b c.yaml'", "  troupe run --config 'b c.yaml' \"What"],
  },
  // What is in force stays in force: the new file has to be named.
  {
    argv: ['init'],
    env: { OPENAI_API_KEY: 'k', TROUPE_CONFIG: 'x.yaml' },
    next: ['  troupe check --config config.yaml', '  troupe run --config config.yaml "What'],
  },
]
for (const { argv, env, next } of nexts) {
  test(`what to do after troupe ${argv.join(' ')} with ${Object.keys(env)}`, async ({ folder }) => {
    const lines = (await troupe(folder, argv, env)).out.split('\n').slice(3, -1)
    assert.is(lines.length, next.length)
    for (const [at, start] of next.entries()) assert.ok(lines[at]?.startsWith(start), lines[at])
  })
}

test('a name with control characters is shown harmless, and can be pasted', async ({ folder }) => {
  const file = "in\u001b[31m it's\u202e.yaml"
  const { code, out } = await troupe(folder, ['init', '--config', file])
  assert.is(code, 0)
  assert.not.match(out, /[^\P{C}\n]/u)
  assert.ok(out.startsWith("Wrote in it's.yaml. "), out)
  const [, word = ''] = /troupe check --config (.*)/.exec(out) ?? []
  assert.is(word, "$'in\\x1b[31m it\\'s\\xe2\\x80\\xae.yaml'")
  assert.is(execFileSync('bash', ['-c', `cat ${word}`], { cwd: folder, encoding: 'utf8' }).split('\n').length > 9, true)
  assert.match(
    (await troupe(folder, ['init', '--config', `no/${file}\u001b`])).err,
    "no/in it's.yaml was not written: ",
  )
})

const refusals = [
  { argv: ['init'], says: 'config.yaml was not written: it is there already. --force replaces it' },
  { argv: ['init', '--config', 'sub'], says: 'sub was not written: it is there already.' },
  { argv: ['init', '--config', 'sub', '--force'], says: 'sub was not written: it is a folder.' },
  { argv: ['init', '--config', 'none/c.yaml'], says: 'none/c.yaml was not written: there is no such folder.' },
  { argv: ['init', '--config', 'config.yaml/c.yaml'], says: 'a part of this path is a file' },
  { argv: ['init', 'here.yaml'], says: 'For another config: troupe init --config here.yaml' },
]
for (const { argv, says } of refusals) {
  test(`refused: troupe ${argv.join(' ')}`, async ({ folder }) => {
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'config.yaml'), 'mine\n')
    const { code, out, err } = await troupe(folder, argv)
    assert.is(code, 2)
    assert.is(out, '')
    assert.ok(err.includes(says), err)
    assert.is(readFileSync(join(folder, 'config.yaml'), 'utf8'), 'mine\n')
  })
}

test('--force replaces', async ({ folder }) => {
  writeFileSync(join(folder, 'config.yaml'), 'mine\n')
  assert.is((await troupe(folder, ['init', '--force'])).code, 0)
  assert.match(readFileSync(join(folder, 'config.yaml'), 'utf8'), 'reviewer:')
})

test.run()
