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
    name: 'a key that stands twice on one line, in quotes or not',
    text: ['models: [{name: m, model: a, "model": b}]'],
    said: ['models.0.model: stands twice, on line 1'],
  },
  {
    name: 'a key that stands twice in what is merged',
    text: ['lead: {<<: {max_turns: 1, max_turns: 2}}'],
    said: ['lead.<<.max_turns: stands twice, on line 1'],
  },
  {
    name: 'numbers that are one key by name',
    text: ['subagents: {agents: {7: {}, "7": {}}}'],
    said: ['subagents.agents.7: stands twice, on line 1'],
  },
  ...['5', '', '[1]', '[{max_turns: 1}, 5]'].map((merged) => ({
    name: `a merge of ${merged === '' ? 'nothing' : merged}`,
    text: ['lead:', `  <<: ${merged}`, '  max_turns: 3'],
    said: ['lead.<<: line 2: only maps can be merged, as in <<: *base'],
  })),
  {
    name: 'a merge of an alias that is no map',
    text: ['memory: {path: &path x}', 'lead: {<<: *path, max_turns: 3}'],
    said: ['lead.<<: line 2: only maps can be merged, as in <<: *base'],
  },
  {
    name: 'an alias inside of what it stands for',
    text: ['lead: &lead {max_turns: *lead}'],
    said: ['lead.max_turns: line 1: *lead stands inside of what it stands for'],
  },
  {
    name: 'a merge of itself',
    text: ['lead: &lead', '  <<: *lead'],
    said: ['lead.<<: line 2: *lead stands inside of what it stands for'],
  },
  {
    name: 'an alias as a key',
    text: ['lead: {&x max_turns: 3, *x : 4}'],
    said: ['lead: line 1: a key must be a plain name'],
  },
  {
    name: 'a file of binary data',
    text: ['models: [{name: !!binary aGk=}]'],
    said: [': line 1, column 17: Unresolved tag: tag:yaml.org,2002:binary'],
  },
  {
    name: 'a tab as indentation',
    text: ['lead:', '\tmax_turns: 3'],
    said: [': line 2, column 1: Tabs are not allowed as indentation'],
  },
  {
    name: 'a document behind the end of another',
    text: ['lead:', '...', '---', 'lead:'],
    said: [': line 3, column 1: a second document begins here; a config is one document'],
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

const letters = [...'abcdefghij']

const bombs = [
  ['lists', (c: string, above: string) => `${c}: &${c} [${Array(10).fill(`*${above}`).join(', ')}]`],
  [
    'merges',
    (c: string, above: string) => `${c}: &${c} {x: {<<: *${above}}, y: {<<: *${above}}, z: *${above}, <<: *${above}}`,
  ],
] as const

for (const [name, row] of bombs) {
  test(`refuses aliases that grow without end: ${name}`, async () => {
    const rows = letters.slice(1).map((letter, index) => row(letter, letters[index] ?? ''))
    const { problems } = await check(
      ['a: &a {v: 1, w: 2, u: 3}', ...rows, ...rows.map((each) => each.replaceAll(/\b([a-j])\b/g, '$1$1'))].join('\n'),
    )
    assert.match(problems.map(({ message }) => message).join(), 'aliases make the config longer than 100000 values')
  })
}

test('what stands once may be used any number of times', async () => {
  const agents = Array.from({ length: 500 }, (_, index) => `    a${index}: {<<: *base, max_turns: ${index + 1}}`)
  const text = ['subagents:', '  custom_agents:', '    base: &base {description: d, system_prompt: p}', ...agents]
  assert.is(Object.keys((await load(text.join('\n'))).subagents.custom_agents).length, 501)
})

// What walks a text step by step runs out of stack on these, which ends the whole process.
for (const [name, text] of [
  ['lists', '['.repeat(3000)],
  ['lists that are closed', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['maps', '{a: '.repeat(3000)],
  ['blocks', Array.from({ length: 500 }, (_, depth) => `\n ${' '.repeat(depth)}a:`).join('')],
  ['dashes', `\n  ${'- '.repeat(3000)}`],
] as const) {
  test(`refuses nesting without end: ${name}`, async () => {
    const { ok, problems } = await check(`lead: ${text}`)
    assert.not.ok(ok)
    assert.match(problems[0]?.message ?? '', /^line \d+, column \d+: maps and lists stand too deep inside each other$/)
    assert.is(problems.length, 1)
  })
}

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

for (const source of ['9007199254740992', '12345678901234567890', '1e308']) {
  test(`refuses ${source}, which would be another number, once and without showing that`, async () => {
    const { problems } = await check(`lead: {max_turns: ${source}}`)
    assert.equal(
      problems.map(({ path, message }) => `${path}: ${message}`),
      ['lead.max_turns: must be a whole number of at least 1 and at most 9007199254740991'],
    )
  })
}

const hints = [
  ['"20"', ', in plain digits without quotes or leading zeros'],
  ['1_000', ', in plain digits without quotes or leading zeros'],
  ['007', ', in plain digits without quotes or leading zeros'],
  ['yes', ', not text'],
  ['""', ', not text'],
  ['2.10', ', not 2.1'],
  ['.inf', ', not Infinity'],
] as const

for (const [source, hint] of hints) {
  test(`says of ${source} how a number is written`, async () => {
    const { problems } = await check(`lead: {max_turns: ${source}}`)
    assert.is(problems[0]?.message, `must be a whole number of at least 1${hint}`)
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
