import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LoopLimits } from '../../src/contract/guards.ts'
import type { ToolCall } from '../../src/contract/messages.ts'
import { readArguments } from '../../src/models/tool-arguments.ts'
import { createLoopWatch, loopNote } from '../../src/policy/loop.ts'
import { hashCalls, loopKey } from '../../src/policy/loop-key.ts'

type Args = ToolCall['args']

const call = (name: string, args: Args = {}): ToolCall => ({ id: 'c', name, args })
const bash = (command: unknown, rest: Args = {}): ToolCall => call('bash', { command, ...rest })
const read = (path: string, start_line?: unknown, end_line?: unknown): ToolCall =>
  call('read_file', { path, start_line, end_line })
const invalid = (why: string): ToolCall => ({ ...call('ls'), invalid: why })

type Pair = readonly [rule: string, a: readonly ToolCall[], b: readonly ToolCall[]]

const equal: readonly Pair[] = [
  ['keys in another order', [bash('ls', { timeout: 1 })], [call('bash', { timeout: 1, command: 'ls' })]],
  ['a free-text description (LC-12)', [bash('ls', { description: 'a' })], [bash('ls', { description: 'b' })]],
  [
    'limits and offsets beside what is meant',
    [call('grep', { pattern: 'x', max: 1 })],
    [call('grep', { pattern: 'x' })],
  ],
  ['a salient argument that is null', [call('grep', { pattern: 'x', path: null })], [call('grep', { pattern: 'x' })]],
  ['calls in another order (loop-02)', [bash('a'), bash('b')], [bash('b'), bash('a')]],
  ['nested keys in another order', [call('t', { a: { b: 1, c: [2] } })], [call('t', { a: { c: [2], b: 1 } })]],
  ['no range and the first lines', [read('a')], [read('a', 1, 200)]],
  ['a range written backwards', [read('a', 10, 300)], [read('a', 300, 10)]],
  ['lines as text', [read('a', '250')], [read('a', 250)]],
  ['lines that are no number', [read('a', 'first')], [read('a')]],
  ['lines below the first', [read('a', -5, 0)], [read('a')]],
  ['a few lines more', [read('a', 1, 50)], [read('a', 3, 90)]],
  [
    'another label of the same delegation',
    [call('task', { prompt: 'p', description: 'a' })],
    [call('task', { prompt: 'p' })],
  ],
  ['an argument left out and one undefined', [call('t', { a: 1, b: undefined })], [call('t', { a: 1 })]],
  [
    'arguments as an object and as JSON text (loop-02)',
    [call('grep', readArguments({ pattern: 'x', path: 'y' }).args)],
    [call('grep', readArguments('{"path":"y","pattern":"x"}').args)],
  ],
]

const different: readonly Pair[] = [
  [
    'what is written (loop-02)',
    [call('write_file', { path: 'a', content: 'x' })],
    [call('write_file', { path: 'a', content: 'y' })],
  ],
  [
    'what is replaced',
    [call('str_replace', { path: 'a', old_str: 'x' })],
    [call('str_replace', { path: 'a', old_str: 'y' })],
  ],
  ['the pattern (loop-02)', [call('grep', { pattern: 'x', path: 'p' })], [call('grep', { pattern: 'y', path: 'p' })]],
  ['the tool', [call('a', { path: 'p' })], [call('b', { path: 'p' })]],
  ['lines far on', [read('a', 1, 50)], [read('a', 401, 450)]],
  ['the file', [read('a')], [read('b')]],
  ['how often', [bash('a')], [bash('a'), bash('a')]],
  ['one of several', [bash('a'), bash('b')], [bash('a'), bash('c')]],
  ['arguments of a tool without salient ones', [call('t', { id: 1 })], [call('t', { id: 2 })]],
  ['the prompt of a delegation', [call('task', { prompt: 'p' })], [call('task', { prompt: 'q' })]],
  ['why arguments could not be read', [invalid('no JSON: a')], [invalid('no JSON: b')]],
  ['arguments that could not be read and none', [invalid('no JSON')], [call('ls')]],
  ['a text and the number it spells', [bash('1')], [bash(1)]],
  ['which of two arguments a text is', [call('g', { path: 'x' })], [call('g', { query: 'x' })]],
]

for (const [rule, a, b] of equal) test(`the same calls: ${rule}`, () => assert.is(hashCalls(a), hashCalls(b)))
for (const [rule, a, b] of different) test(`other calls: ${rule}`, () => assert.is.not(hashCalls(a), hashCalls(b)))

test('arguments nested deeper than a stack still have a key', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  assert.ok(loopKey(call('t', { deep })).length < 1000)
})

const LIMITS: LoopLimits = { warn: 3, hard: 5, window: 20, toolWarn: 30, toolHard: 50, overrides: {} }
const OFF = 1000
const lax: LoopLimits = { warn: OFF, hard: OFF, window: 20, toolWarn: OFF, toolHard: OFF, overrides: {} }

/** What is said of each response: `.` for nothing, `w` for a warning, `S` for a stop. */
const said = (limits: Partial<LoopLimits>, responses: readonly (readonly ToolCall[])[]): string => {
  const watch = createLoopWatch({ ...LIMITS, ...limits })
  return responses
    .map((calls) => watch.next(calls))
    .reduce((all, v) => all + (v === null ? '.' : v.stop ? 'S' : 'w'), '')
}

const times = (count: number, calls: (i: number) => readonly ToolCall[]) =>
  Array.from({ length: count }, (_, i) => calls(i))
const same = (count: number) => times(count, () => [bash('ls')])
const distinct = (count: number, name = 'bash') => times(count, (i) => [call(name, { command: `echo ${i}` })])

type Run = readonly [
  rule: string,
  limits: Partial<LoopLimits>,
  responses: readonly (readonly ToolCall[])[],
  said: string,
]

const runs: readonly Run[] = [
  ['the third same response is warned of (loop-03)', { hard: 10 }, same(3), '..w'],
  ['the same calls are warned of once (loop-04)', { hard: 10 }, same(6), '..w...'],
  ['the fifth is stopped', {}, same(5), '..w.S'],
  ['hard limit 4 (loop-05)', { hard: 4 }, same(4), '..wS'],
  [
    'what left the window does not count (loop-07)',
    { window: 5 },
    [...same(2), ...distinct(5), [bash('ls')]],
    '........',
  ],
  [
    'what left the window is warned of again',
    { window: 4, hard: 10 },
    [...same(3), ...distinct(4), ...same(3)],
    '..w......w',
  ],
  ['other calls in between do not hide it', {}, times(9, (i) => [bash(i % 2 ? `echo ${i}` : 'ls')]), '....w...S'],
  ['parallel calls are one response', {}, times(3, () => [bash('a'), bash('b')]), '..w'],
  ['two loops in turn are each warned of', { hard: 10 }, times(6, (i) => [bash(i % 2 ? 'a' : 'b')]), '....ww'],
  ['an agent that never repeats itself', {}, distinct(29), '.'.repeat(29)],

  ['50 calls of one tool (loop-09)', {}, distinct(50), `${'.'.repeat(29)}w${'.'.repeat(19)}S`],
  [
    'a tool with limits of its own (loop-10)',
    { toolWarn: 5, toolHard: 10, overrides: { bash: { warn: 50, hard: 100 } } },
    [...distinct(10), ...distinct(5, 'read')],
    '..............w',
  ],
  ['a tool with lower limits', { overrides: { bash: { warn: 2, hard: 3 } } }, distinct(3), '.wS'],
  [
    'several calls of one response count (loop-11)',
    { toolWarn: 5 },
    [2, 2, 1].map((n, i) => times(n, (j) => [call('read', { n: `${i}${j}` })]).flat()),
    '..w',
  ],
  [
    'a stop within a response counts, whatever follows',
    { toolHard: 2, toolWarn: 2 },
    [[call('a', { n: 1 }), call('a', { n: 2 }), call('b')]],
    'S',
  ],
  [
    'calls of other tools let a count decay',
    { ...lax, window: 4, toolHard: 4, toolWarn: 3 },
    times(12, (i) => [call(i % 2 ? 'a' : 'b', { n: i })]),
    '.'.repeat(12),
  ],
  [
    'a count that decayed is warned of again',
    { ...lax, window: 6, toolWarn: 3, toolHard: 6 },
    [...distinct(3, 'a'), ...distinct(4, 'b'), ...distinct(3, 'a')],
    '..w..w...w',
  ],
  ['the first look warns and the second still counts', { toolWarn: 4, toolHard: 5, hard: 9 }, same(5), '..wwS'],
  ['the first stop goes before the second', { hard: 3, toolHard: 3, toolWarn: 3 }, same(3), '..S'],
]

for (const [rule, limits, responses, expected] of runs) {
  test(rule, () => assert.is(said(limits, responses), expected))
}

test('a stop says what was seen, a warning also what to do', () => {
  const watch = createLoopWatch(LIMITS)
  const verdicts = same(5).map((calls) => watch.next(calls))
  assert.is(verdicts[4]?.why, 'The same tool calls were made 5 times.')
  const often = createLoopWatch({ ...LIMITS, toolWarn: 2, toolHard: 3 })
  const words = distinct(3).map((calls) => often.next(calls))
  assert.match(words[1] ? loopNote(words[1]) : '', /^\[LOOP DETECTED\] You have called the tool bash 2 times\. /)
  assert.is(words[2]?.why, 'The tool bash was called 3 times.')
})

test('two warnings at once are one', () => {
  const watch = createLoopWatch({ ...LIMITS, toolWarn: 3 })
  const [, , third] = same(3).map((calls) => watch.next(calls))
  assert.is(third?.why, 'You have made the same tool calls 3 times. You have called the tool bash 3 times.')
})

test('agents do not count for one another', () => {
  const [a, b] = [createLoopWatch(LIMITS), createLoopWatch(LIMITS)]
  for (const calls of same(4)) a.next(calls)
  assert.is(b.next([bash('ls')]), null)
})

test.run()
