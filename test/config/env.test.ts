// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a config refers to a variable
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { looksPartial, resolveReference } from '../../src/config/env.ts'
import { loadConfig } from '../../src/config/load.ts'
import { toModelSettings } from '../../src/config/settings.ts'
import { brief, check, load, withFile } from './support.ts'

const ENV = { KEY: 'sk-secret', EMPTY: '', _x1: 'low' }

const values = [
  ['$KEY', { value: 'sk-secret' }],
  ['${KEY}', { value: 'sk-secret' }],
  ['$_x1', { value: 'low' }],
  ['$GONE', { unset: 'GONE' }],
  ['${GONE}', { unset: 'GONE' }],
  ['$EMPTY', { unset: 'EMPTY' }],
  ['$toString', { unset: 'toString' }],
  ['plain', { value: 'plain' }],
  ['', { value: '' }],
  ['$', { value: '$' }],
  ['$5', { value: '$5' }],
  ['$$KEY', { value: '$$KEY' }],
  ['x$KEY', { value: 'x$KEY' }],
  ['$KEY/x', { value: '$KEY/x' }],
  ['${KEY', { value: '${KEY' }],
  ['$KEY ', { value: '$KEY ' }],
] as const

for (const [written, found] of values) {
  test(`${JSON.stringify(written)} is ${JSON.stringify(found)}`, () =>
    assert.equal(resolveReference(written, ENV), found))
}

for (const [written, partial] of [
  ['$KEY/x', true],
  ['https://${HOST}/v1', true],
  ['${URL:-http://127.0.0.1}', true],
  ['${KEY', true],
  ['${}', true],
  ['${A}${B}', true],
  ['$A$B', true],
  ['$KEY ', true],
  ['Bearer $TOKEN', true],
  ['$100 cap', false],
  ['pa$$word', false],
  ['$', false],
  ['$KEY', false],
  ['a$KEY', false],
  ['$5', false],
  ['plain', false],
] as const) {
  test(`${written} ${partial ? 'looks' : 'does not look'} as if a part of it were meant`, () =>
    assert.is(looksPartial(written), partial))
}

const TEXT = [
  'models:',
  '  - {name: lead, model: m, api_key: $QA_SET_KEY}',
  '  - {name: sub, model: m, api_key: "${QA_MISSING_ONE}", base_url: $QA_EMPTY}',
  'mcp_servers:',
  '  off: {enabled: false, command: x, env: {TOKEN: $QA_MISSING_OFF}}',
  '  on: {command: node, args: ["server.js", "--token", $QA_MISSING_TWO], headers: {A: $QA_MISSING_THREE}}',
  'acp_agents: {x: {command: c, description: $QA_NOT_LOOKED_UP, env: {A: $QA_MISSING_FOUR}}}',
  'http: {tokens: [{name: a, token: $QA_MISSING_FIVE}]}',
  'web: {search: {api_key: $QA_MISSING_OFF_TOO}}',
  'subagents:',
  '  custom_agents:',
  '    pricer:',
  '      description: "Costs $5, matches ^a$ and ${NOT_A_VAR}"',
  '      system_prompt: $HOME',
].join('\n')
const QA_ENV = { QA_SET_KEY: 'k-123', QA_EMPTY: '', HOME: '/home' }

test('check names each unset variable of a part in use, with its path', async () => {
  const report = await check(TEXT, QA_ENV)
  assert.ok(report.ok)
  assert.equal(
    report.problems.filter(({ code }) => code === 'env_unset').map(({ path, message }) => `${path}: ${message}`),
    [
      'models.1.base_url: the environment variable QA_EMPTY is not set',
      'models.1.api_key: the environment variable QA_MISSING_ONE is not set',
      'acp_agents.x.env.A: the environment variable QA_MISSING_FOUR is not set',
      'mcp_servers.on.args.2: the environment variable QA_MISSING_TWO is not set',
      'mcp_servers.on.headers.A: the environment variable QA_MISSING_THREE is not set',
      'http.tokens.0.token: the environment variable QA_MISSING_FIVE is not set',
    ].sort(
      (a, b) =>
        TEXT.indexOf(a.split('variable ')[1]?.split(' ')[0] ?? '') -
        TEXT.indexOf(b.split('variable ')[1]?.split(' ')[0] ?? ''),
    ),
  )
})

test('check names unset variables beside errors', async () => {
  const report = await check(`${TEXT}\nlead: {max_turns: 0}`, QA_ENV)
  assert.equal([report.ok, brief(report)], [false, ['lead.max_turns out_of_range']])
  assert.ok(report.problems.some(({ message }) => message.includes('QA_MISSING_TWO')))
})

test('at start an unset variable is no problem; the model that needs it says which', async () => {
  await withFile(TEXT, async (path) => {
    const { config, problems } = await loadConfig({ config: path, env: QA_ENV })
    assert.equal(
      problems.filter(({ code }) => code === 'env_unset'),
      [],
    )
    assert.equal(
      toModelSettings(config, QA_ENV, new Map()).map(({ apiKey, unset }) => ({ apiKey, unset })),
      [
        { apiKey: 'k-123', unset: null },
        { apiKey: null, unset: { variable: 'QA_MISSING_ONE', path: 'models.1.api_key' } },
      ],
    )
  })
})

test('prompts and descriptions are never looked up', async () => {
  const { subagents } = await load(TEXT, QA_ENV)
  assert.equal(subagents.custom_agents['pricer']?.system_prompt, '$HOME')
  assert.equal(subagents.custom_agents['pricer']?.description, 'Costs $5, matches ^a$ and ${NOT_A_VAR}')
})

test('a value in which only a part looks like a variable is taken as written, and that is said', async () => {
  const report = await check('models: [{name: m, model: m, base_url: "http://${HOST}/v1", api_key: $A-$B}]')
  assert.equal(brief(report, 'warning'), ['models.0.base_url reference_partial', 'models.0.api_key reference_partial'])
  assert.ok(report.ok)
})

test('a variable that holds no URL is named, its value is not', async () => {
  const report = await check('models: [{name: m, model: m, base_url: $URL}]', { URL: 'sk-secret' })
  assert.equal(report, {
    ok: true,
    problems: [
      {
        level: 'warning',
        path: 'models.0.base_url',
        code: 'env_invalid',
        message: 'the environment variable URL must begin with http:// or https:// and hold a URL',
      },
    ],
  })
})

test('a key with the line end of the file it was read from is named, its value is not', async () => {
  const MODEL = '{name: m, model: m, api_key: $KEY_FILE}'
  const report = await check(`models: [${MODEL}]\nhttp: {tokens: [{name: a, token: "two\\nlines"}]}`, {
    KEY_FILE: 'sk-secret\n',
  })
  assert.equal(
    report.problems
      .filter(({ code }) => code !== 'not_built')
      .map(({ level, path, message }) => [level, path, message]),
    [
      ['error', 'http.tokens.0.token', 'must be one line without control characters'],
      [
        'warning',
        'models.0.api_key',
        'the environment variable KEY_FILE holds a line end or another control character',
      ],
    ],
  )
})

const SECRET = 'sk-top-secret'

for (const [name, text] of [
  ['in a field of its own', 'models: [{name: m, model: m, api_key: $SECRET, base_url: $SECRET}]'],
  ['beside an unknown key', 'models: [{name: m, model: m, api_key: $SECRET, apiKey: sk-top-secret}]'],
  ['where a number is wanted', 'runtime: {threads: sk-top-secret}'],
  ['where a word is wanted', 'subagents: {overflow: sk-top-secret}'],
  ['where a map is wanted', 'mcp_servers: {s: {command: c, env: sk-top-secret}}'],
  ['as a URL', 'models: [{name: m, model: m, base_url: sk-top-secret}]'],
  ['as a host and in a syntax error', 'http: {tokens: [{token: "sk-top-secret]}]}'],
] as const) {
  test(`a secret is in no message: ${name}`, async () => {
    const { problems } = await check(text, { SECRET, OPENAI_API_KEY: SECRET })
    assert.ok(problems.length > 0)
    assert.not.match(JSON.stringify(problems), SECRET)
  })
}

test('the default model comes from the environment, by reference', async () => {
  const env = { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/', OPENAI_MODEL: 'other' }
  const { config, source } = await loadConfig({ config: {}, env })
  assert.not.match(JSON.stringify(config), SECRET)
  assert.is(source.kind, 'object')
  const [model] = toModelSettings(config, env, new Map())
  assert.equal(
    [model?.name, model?.model, model?.baseUrl, model?.apiKey, model?.unset],
    ['default', 'other', 'http://127.0.0.1:9/v1', SECRET, null],
  )
})

test('the default model needs the key alone, and an empty one is none', async () => {
  const env = { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: '', OPENAI_MODEL: '' }
  const [model] = toModelSettings((await loadConfig({ config: {}, env })).config, env, new Map())
  assert.equal([model?.model, model?.baseUrl, model?.unset], ['gpt-5-mini', 'https://api.openai.com/v1', null])
  assert.equal(brief(await check({}, { OPENAI_API_KEY: '' })), ['models models_missing'])
})

test.run()
