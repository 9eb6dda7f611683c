import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { brief, check, load } from './support.ts'

const refused = [
  {
    name: 'a key that stands twice, wherever it is',
    text: [
      'subagents:',
      '  timeout_seconds: 60',
      '  timeout_seconds: 6000',
      '  custom_agents:',
      '    analysis: {description: first, system_prompt: a}',
      '    analysis: {description: second, system_prompt: b}',
      'subagents:',
      '  max_turns: 3',
    ],
    said: [
      'subagents.timeout_seconds: stands twice, on line 2 and on line 3',
      'subagents.custom_agents.analysis: stands twice, on line 5 and on line 6',
      'subagents: stands twice, on line 1 and on line 7',
    ],
  },
  {
    name: 'a key that stands twice in JSON',
    text: ['{"lead": {"max_turns": 1,', '"max_turns": 2}}'],
    said: ['lead.max_turns: stands twice, on line 1 and on line 2'],
  },
  {
    name: 'what a merge left behind',
    text: ['subagents:', '<<<<<<< HEAD', '  max_turns: 3', '=======', '  max_turns: 9', '>>>>>>> branch'],
    said: [': line 2, column 1: a merge conflict is left in the file'],
  },
  {
    name: 'every fault of the syntax, with line and column',
    text: ['lead:', '  max_turns: @x', '  timeout_seconds: `y'],
    said: [
      ': line 2, column 14: Plain value cannot start with reserved character @',
      ': line 3, column 20: Plain value cannot start with reserved character `',
    ],
  },
  {
    name: 'a second document',
    text: ['lead:', '---', 'lead:'],
    said: [': line 2, column 1: a second document begins here; a config is one document'],
  },
  {
    name: 'a tag',
    text: ['lead: !!js/function x'],
    said: [': line 1, column 7: Unresolved tag: tag:yaml.org,2002:js/function'],
  },
  { name: 'a key that is a list', text: ['? [a, b]', ': 1'], said: [': line 1: a key must be a plain name'] },
  {
    name: '__proto__ as a key',
    text: ['subagents:', '  agents:', '    __proto__: {}'],
    said: ['subagents.agents.__proto__: line 3: is not allowed as a key'],
  },
  {
    name: 'an alias without an anchor',
    text: ['lead: *nowhere'],
    said: ['lead: line 1: no anchor &nowhere stands above'],
  },
  { name: 'text in place of a map', text: ['hello'], said: [': must be a map, not text'] },
]

for (const { name, text, said } of refused) {
  test(`refuses ${name}`, async () => {
    const { ok, problems } = await check(text.join('\n'))
    assert.not.ok(ok)
    assert.equal(
      problems.map(({ path, message }) => `${path}: ${message}`),
      said,
    )
  })
}

test('says nothing of the text that a fault stands in', async () => {
  const { ok, problems } = await check('models:\n  - {name: main, model: m}\nlead: |sk-secret\n')
  assert.not.ok(ok)
  assert.not.match(JSON.stringify(problems), 'sk-secret')
})

test('refuses aliases that grow without end, at once', async () => {
  const rows = [...'bcdefghij'].map(
    (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[index]}`).join(', ')}]`,
  )
  const started = performance.now()
  const { problems } = await check(['a: &a [x, x, x, x, x, x, x, x, x, x]', ...rows].join('\n'))
  assert.match(problems[0]?.message ?? '', 'alias')
  assert.ok(performance.now() - started < 5000)
})

test('refuses nesting without end', async () => {
  assert.not.ok((await check(`lead: ${'['.repeat(3000)}`)).ok)
})

test('refuses an alias inside of what it stands for', async () => {
  assert.equal(brief(await check('lead: &lead {max_turns: *lead}')), ['lead.max_turns invalid_type'])
})

const MODEL = 'models: [{name: main, model: m, base_url: "http://127.0.0.1:9", api_key: k}]'

for (const { name, text } of [
  { name: 'a byte order mark', text: `\uFEFF${MODEL}` },
  { name: 'lines that end in CR LF', text: `${MODEL}\r\nlead:\r\n  max_turns: 200\r\n` },
  { name: 'JSON', text: '{\n\t"models": [\n\t\t{"name":"main", "model":"m"}\n\t]\n}' },
  { name: 'a document with its marks', text: `%YAML 1.2\n---\n${MODEL}\n...\n` },
]) {
  test(`reads ${name}`, async () => {
    assert.is((await load(text, {})).models[0]?.name, 'main')
  })
}

for (const text of [
  '',
  '\n\n',
  '# only this\n',
  '# nothing here\n---\n# still nothing\n',
  '---\n',
  'null\n',
  '~\n',
  '{}',
]) {
  test(`reads ${JSON.stringify(text)} as an empty config`, async () => {
    assert.equal(await load(text), await load('lead: {}'))
  })
}

const written = [
  ['007', '007'],
  ['2.10', '2.10'],
  ['1e3', '1e3'],
  ['0x1F', '0x1F'],
  ['12345678901234567890', '12345678901234567890'],
  ['1_000', '1_000'],
  ['+5', '+5'],
  ['.5', '.5'],
  ['true', 'true'],
  ['no', 'no'],
  ['0o17', '0o17'],
  ['2024-01-02', '2024-01-02'],
  ['"8"', '8'],
] as const

for (const [source, kept] of written) {
  test(`keeps ${source} as written where text is wanted`, async () => {
    const config = await load(
      [
        `models: [{name: main, model: ${source}}]`,
        `mcp_servers: {s: {command: c, args: [${source}], env: {A: ${source}}}}`,
        `subagents: {custom_agents: {${source}: {description: d, system_prompt: p}}}`,
      ].join('\n'),
    )
    assert.is(config.models[0]?.model, kept)
    assert.equal(config.mcp_servers['s']?.args, [kept])
    assert.equal(config.mcp_servers['s']?.env, { A: kept })
    assert.equal(Object.keys(config.subagents.custom_agents), [kept])
  })
}

for (const source of ['010', '0600', '"20"', '1_000', '.nan', '.inf', '1e400', '2.5', 'five', '0x']) {
  test(`refuses ${source} where a whole number is wanted`, async () => {
    assert.equal(brief(await check(`lead: {max_turns: ${source}}`)).length, 1)
  })
}

for (const [source, value] of [
  ['20', 20],
  ['2e1', 20],
  ['0x14', 20],
  ['+20', 20],
  ['20.0', 20],
] as const) {
  test(`reads ${source} where a number is wanted`, async () => {
    assert.is((await load(`lead: {max_turns: ${source}}`)).lead.max_turns, value)
  })
}

test('applies merge keys, which may be repeated', async () => {
  const { subagents } = await load(
    [
      'subagents:',
      '  custom_agents:',
      '    one: &one {description: d, system_prompt: p, max_turns: 3}',
      '    two: &two {<<: *one, max_turns: 4}',
      '    three:',
      '      <<: *one',
      '      <<: *two',
      '      description: e',
    ].join('\n'),
  )
  assert.equal(
    Object.values(subagents.custom_agents).map(({ description, max_turns }) => `${description} ${max_turns}`),
    ['d 3', 'd 4', 'e 3'],
  )
})

test.run()
