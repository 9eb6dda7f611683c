import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { CompactionRules, TranscriptSize } from '../../src/contract/guards.ts'
import type { Message } from '../../src/contract/messages.ts'
import { type CompactionKeys, compactionRules, isDue, splitTranscript } from '../../src/policy/compaction.ts'

const KEYS: CompactionKeys = {
  enabled: true,
  model_name: null,
  trigger: { type: 'messages', value: 50 },
  keep: { type: 'messages', value: 20 },
  trim_tokens_to_summarize: 4000,
  summary_prompt: null,
}
const messages = (value: number): TranscriptSize => ({ type: 'messages', value })
const tokens = (value: number): TranscriptSize => ({ type: 'tokens', value })
const fraction = (value: number) => ({ type: 'fraction', value }) as const

type Rules = readonly [
  rule: string,
  keys: Partial<CompactionKeys>,
  window: number | null,
  rules: Partial<CompactionRules> | null,
]

const readings: readonly Rules[] = [
  ['off while it is not switched on', { enabled: false }, null, null],
  ['off without a trigger', { trigger: null }, 1000, null],
  ['one trigger', {}, null, {}],
  ['a list of triggers', { trigger: [messages(9), tokens(99)] }, null, { triggers: [messages(9), tokens(99)] }],
  ['a part of the window as tokens', { trigger: fraction(0.8) }, 1001, { triggers: [tokens(800)] }],
  ['a part of a window nobody knows never comes', { trigger: fraction(0.8) }, null, null],
  ['and leaves the other triggers', { trigger: [fraction(0.8), messages(9)] }, null, { triggers: [messages(9)] }],
  ['keeps a part of the window', { keep: fraction(0.1) }, 1000, { keep: tokens(100) }],
  ['keeps 20 messages where the window is not known', { keep: fraction(0.1) }, null, { keep: messages(20) }],
  [
    'a model, a prompt and an input of its own',
    { model_name: 'm', summary_prompt: 'p', trim_tokens_to_summarize: null },
    null,
    { model: 'm', prompt: 'p', trimTokens: null },
  ],
]

const RULES: CompactionRules = {
  triggers: [messages(50)],
  keep: messages(20),
  model: null,
  prompt: null,
  trimTokens: 4000,
}

for (const [rule, keys, window, rules] of readings) {
  test(`the rules of a config: ${rule}`, () =>
    assert.equal(compactionRules({ ...KEYS, ...keys }, window), rules && { ...RULES, ...rules }))
}

type Due = readonly [
  rule: string,
  triggers: readonly TranscriptSize[],
  messages: number,
  chars: number,
  summary: string | null,
  due: boolean,
]

const dues: readonly Due[] = [
  ['fewer messages', [messages(4)], 3, 1e6, null, false],
  ['as many messages', [messages(4)], 4, 0, null, true],
  ['a summary is one more message', [messages(4)], 3, 0, 's', true],
  ['fewer tokens', [tokens(100)], 999, 396, null, false],
  ['as many tokens', [tokens(100)], 1, 397, null, true],
  ['a summary has tokens too', [tokens(100)], 1, 390, 'summary', true],
  ['any of several', [messages(99), tokens(100)], 1, 400, null, true],
  ['none of several', [messages(99), tokens(100)], 98, 10, null, false],
]

for (const [rule, triggers, count, chars, summary, due] of dues) {
  test(`due: ${rule}`, () =>
    assert.is(
      isDue({ ...RULES, triggers }, count, () => chars, summary),
      due,
    ))
}

/**
 * `u1 a3 r4 r5 a6`: messages of the user, of the assistant (each with one call for every result that follows it) and
 * results, each with its place and as many characters as the number behind a colon.
 */
const transcript = (text: string): Message[] =>
  text.split(' ').map((word): Message => {
    const [name = '', chars = '4'] = word.split(':')
    const content = name.padEnd(Number(chars), '.')
    if (name.startsWith('u')) return { role: 'user', content }
    if (name.startsWith('a')) return { role: 'assistant', id: name, content, toolCalls: [] }
    return { role: 'tool', id: name, toolCallId: name, name: 't', content, status: 'success' }
  })

const names = (part: readonly Message[] | undefined): string =>
  (part ?? []).map(({ content }) => content.replace(/\..*/, '')).join(' ')

type Split = readonly [rule: string, keep: TranscriptSize, all: string, past: string, kept: string]

const splits: readonly Split[] = [
  ['keeps the last messages', messages(2), 'u1 a2 r3 a4 r5', 'a2 r3', 'u1 a4 r5'],
  [
    'keeps the latest message of the user before the tail',
    messages(2),
    'u1 a2 u3 a4 r5 a6 r7',
    'u1 a2 a4 r5',
    'u3 a6 r7',
  ],
  ['a latest message in the tail stays where it is', messages(3), 'u1 a2 u3 a4 r5', 'u1 a2', 'u3 a4 r5'],
  ['moves back before the call of a result', messages(1), 'u1 a2 r3 a4 r5', 'a2 r3', 'u1 a4 r5'],
  ['moves back over all results of a response', messages(2), 'u1 a2 r3 a4 r5 r6 r7', 'a2 r3', 'u1 a4 r5 r6 r7'],
  ['moves forward past results whose call is missing', messages(3), 'u1 r2 r3 a4 r5', 'r2 r3', 'u1 a4 r5'],
  ['keeps what fits', tokens(3), 'u1 a2:4 r3:4 a4:4 r5:8', 'a2 r3', 'u1 a4 r5'],
  [
    'keeps no more than the latest message where nothing fits',
    tokens(1),
    'u1 a2 r3 a4 r5 a6:400',
    'a2 r3 a4 r5 a6',
    'u1',
  ],
  ['has nothing to do where all is kept', messages(9), 'u1 a2 r3', '', ''],
  ['has nothing to do where all fits', tokens(99), 'u1 a2 r3', '', ''],
  ['has nothing to do where only the latest message would go', messages(2), 'u1 a2 r3', '', ''],
  ['has nothing to do where the one call moves all back', messages(2), 'u1 a2 r3 r4 r5', '', ''],
  ['has nothing to do in an empty transcript', messages(2), '', '', ''],
]

for (const [rule, keep, all, past, kept] of splits) {
  test(`compaction ${rule}`, () => {
    const split = splitTranscript(all === '' ? [] : transcript(all), keep)
    assert.equal([names(split?.past), names(split?.kept)], [past, kept])
  })
}

/** A transcript as agents make them: answers with up to three results, now and then something from the user. */
const random = (seed: number): string => {
  let state = seed
  const next = (max: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state % max
  }
  const words = ['u0']
  while (words.length < 30) {
    if (next(6) === 0) words.push(`u${words.length}`)
    words.push(`a${words.length}:${4 + next(60)}`)
    for (let results = next(4); results > 0; results--) words.push(`r${words.length}:${4 + next(200)}`)
  }
  return words.join(' ')
}

test('whatever is cut, no result loses its call, no message its place, and the latest message of the user is kept', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const all = transcript(random(seed))
    const keep = seed % 2 ? messages(seed % 17) : tokens(seed)
    const split = splitTranscript(all, keep)
    if (split === null) continue
    const { past, kept } = split
    assert.is(past.length + kept.length, all.length)
    assert.is(new Set([...past, ...kept]).size, all.length)
    assert.ok(kept.includes(all.findLast(({ role }) => role === 'user') as Message), `seed ${seed}`)
    for (const [i, { role }] of kept.entries()) {
      const before = kept[i - 1]
      if (role !== 'tool') continue
      assert.ok(before?.role === 'tool' || before?.role === 'assistant', `seed ${seed}: a result behind its call`)
      assert.is(
        all[all.indexOf(kept[i] as Message) - 1],
        before,
        `seed ${seed}: no result of the same response is missing`,
      )
    }
    assert.is(splitTranscript(kept, keep), null, `seed ${seed}: what is kept is not cut again`)
  }
})

test.run()
