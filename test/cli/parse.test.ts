import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Flags, parse } from '../../src/cli/parse.ts'
import { runCommand, runOptionsOf } from '../../src/cli/run.ts'

const flags: Flags = {
  json: { type: 'boolean', about: '' },
  thread: { type: 'string', value: 'ID', about: '' },
  'max-total': { type: 'number', value: 'N', about: '' },
}

const good = [
  { name: 'nothing', args: [], values: {}, words: [] },
  { name: 'words', args: ['a', 'b'], values: {}, words: ['a', 'b'] },
  {
    name: 'flags before and after words',
    args: ['--json', 'a', '--thread', 't'],
    values: { json: true, thread: 't' },
    words: ['a'],
  },
  { name: 'a value behind an equals sign', args: ['--thread=t'], values: { thread: 't' }, words: [] },
  { name: 'a number', args: ['--max-total', '7'], values: { 'max-total': 7 }, words: [] },
  { name: 'a negative number behind an equals sign', args: ['--max-total=-1'], values: { 'max-total': -1 }, words: [] },
  { name: 'a dash for standard input', args: ['-'], values: {}, words: ['-'] },
  { name: 'words that look like flags, after two dashes', args: ['--', '--json'], values: {}, words: ['--json'] },
  { name: 'the short help', args: ['-h'], values: { help: true }, words: [] },
  { name: 'the last of two wins', args: ['--thread=a', '--thread=b'], values: { thread: 'b' }, words: [] },
]
for (const { name, args, values, words } of good) {
  test(`reads ${name}`, () => assert.equal(parse(args, flags), { values, words }))
}

const bad = [
  {
    name: 'an unknown flag, with its neighbour',
    args: ['--jsno'],
    says: 'Unknown option --jsno. Did you mean --json?',
  },
  { name: 'an unknown flag without one', args: ['--frobnicate'], says: 'Unknown option --frobnicate.' },
  { name: 'an unknown short flag', args: ['-x'], says: 'Unknown option -x.' },
  { name: 'a name that every object has', args: ['--constructor'], says: 'Unknown option --constructor.' },
  { name: 'a missing value', args: ['--thread'], says: '--thread needs a value: --thread ID' },
  { name: 'a flag where a value belongs', args: ['--thread', '--json'], says: '--thread needs a value: --thread ID' },
  { name: 'an empty value', args: ['--thread='], says: '--thread needs a value: --thread ID' },
  { name: 'a value for a switch', args: ['--json=1'], says: '--json takes no value.' },
  { name: 'a word for a number', args: ['--max-total', 'many'], says: '--max-total wants a whole number, not "many".' },
  {
    name: 'a fraction for a number',
    args: ['--max-total', '1.5'],
    says: '--max-total wants a whole number, not "1.5".',
  },
]
for (const { name, args, says } of bad) {
  test(`refuses ${name}`, () =>
    assert.throws(
      () => parse(args, flags),
      (error: Error) => error.name === 'UsageError' && error.message === says,
    ))
}

const options = [
  { args: ['x'], is: {} },
  { args: ['--no-subagents', 'x'], is: { subagentEnabled: false } },
  {
    args: ['--thread', 't', '--model', 'm', '--agent', 'a', '--max-concurrent', '0', '--max-total', '99', 'x'],
    is: { threadId: 't', model: 'm', agent: 'a', maxConcurrentSubagents: 0, maxTotalSubagents: 99 },
  },
]
for (const { args, is } of options) {
  test(`run ${args.join(' ')}`, () => assert.equal(runOptionsOf(parse(args, runCommand.flags)), is))
}

test.run()
