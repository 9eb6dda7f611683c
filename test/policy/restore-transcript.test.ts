import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LedgerRow, ThreadEntry } from '../../src/contract/conversation.ts'
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../src/contract/messages.ts'
import { openRow } from '../../src/policy/ledger.ts'
import { lastNumber, restoreTranscript } from '../../src/policy/restore-transcript.ts'

const user = (content: string): UserMessage => ({ role: 'user', content })
const toolName = (id: string): string => (id.startsWith('t') ? 'task' : 'ls')
let count = 0
/** `a` alone answers; calls `a:k1,t2` ask. */
const answer = (calls = ''): AssistantMessage => ({
  role: 'assistant',
  id: `m${++count}`,
  content: 'text',
  toolCalls: calls.split(',').flatMap((id) => (id === '' ? [] : [{ id, name: toolName(id), args: {} }])),
})
const result = (toolCallId: string): ToolMessage => ({
  ...{ role: 'tool', id: `m${++count}`, toolCallId, name: toolName(toolCallId), content: `result of ${toolCallId}` },
  status: 'success',
})

/** `u`, `a`, `a:k1,k2`, `k1`: a user's message, an answer, an answer that asks, a result. */
const messageOf = (word: string): Message => {
  if (word === 'u') return user(word)
  return word === 'a' || word.startsWith('a:') ? answer(word.slice(2)) : result(word)
}
const written = (entries: readonly ThreadEntry[]): string => entries.map((entry) => JSON.stringify(entry)).join('\n')
const historyOf = (words: string): string => {
  count = 0
  return written(words.split(' ').map((word) => ({ message: messageOf(word) })))
}
const wordOf = (message: Message): string => {
  if (message.role === 'user') return message.content
  if (message.role === 'tool')
    return message.content.startsWith('result') ? message.toolCallId : `?${message.toolCallId}`
  return message.toolCalls.length === 0 ? 'a' : `a:${message.toolCalls.map(({ id }) => id).join()}`
}
const restored = (history: string, ledger: readonly LedgerRow[] = []) => restoreTranscript(history, ledger)

/** `?k1`: an answer made up for k1. */
const rows: readonly [rule: string, history: string, transcript: string][] = [
  ['what is valid stays as it is', 'u a:k1,k2 k1 k2 a u a', 'u a:k1,k2 k1 k2 a u a'],
  ['results come back in the order of the calls', 'u a:k1,k2,k3 k3 k1 k2 a', 'u a:k1,k2,k3 k1 k2 k3 a'],
  ['a call that was interrupted gets a result', 'u a:k1,k2 k2', 'u a:k1,k2 ?k1 k2'],
  ['and so before a later message', 'u a:k1 u a', 'u a:k1 ?k1 u a'],
  ['a result that came late goes to its call', 'u a:k1 u k1', 'u a:k1 k1 u'],
  ['a result without a call is left out', 'u k9 a', 'u a'],
  ['a second result of one call is left out', 'u a:k1 k1 k1 a', 'u a:k1 k1 a'],
  ['an id that is used again has its own result', 'u a:k1 k1 a:k1 k1 a', 'u a:k1 k1 a:k1 k1 a'],
  ['the first of two was interrupted: the result is the later one’s', 'u a:k1 u a:k1 k1', 'u a:k1 ?k1 u a:k1 k1'],
]

for (const [rule, history, transcript] of rows) {
  test(rule, () => {
    const { messages, madeUp } = restored(historyOf(history))
    assert.is(messages.map(wordOf).join(' '), transcript)
    assert.equal(
      madeUp.map(wordOf),
      transcript.split(' ').filter((word) => word.startsWith('?')),
    )
    for (const { content } of madeUp) assert.is(content, '[Tool call was interrupted and did not return a result.]')
  })
}

/** What the strictest provider takes: behind an answer the results of its calls, in their order, and none elsewhere. */
const assertStrict = (messages: readonly Message[]): void => {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') assert.is(message.toolCallId, open.shift())
    else assert.equal(open, [])
    if (message.role === 'assistant') open = message.toolCalls.map(({ id }) => id)
  }
  assert.equal(open, [])
}

test('whatever was written, in whatever order, what comes back is valid and loses no message of user or model', () => {
  let seed = 3
  const below = (n: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return (seed >> 8) % n
  }
  const WORDS = ['u', 'a', 'a:k1', 'a:k1,k2', 'a:t1,k3', 'k1', 'k2', 'k3', 't1']
  for (let round = 0; round < 3000; round++) {
    const words = Array.from({ length: below(14) }, () => WORDS[below(WORDS.length)] ?? 'u')
    const { messages } = restored(words.length === 0 ? '' : historyOf(words.join(' ')))
    assertStrict(messages)
    const kept = (word: string): boolean => word === 'u' || word.startsWith('a')
    assert.equal(messages.map(wordOf).filter(kept), words.filter(kept))
    const answered = messages.filter(
      (message) => message.role === 'tool' && message.content.startsWith('result'),
    ).length
    assert.ok(answered <= words.filter((word) => !kept(word)).length)
  }
})

test('nothing, and half a line, come to nothing', () => {
  assert.equal(restored('').messages, [])
  assert.equal(restored(`${historyOf('u a')}\n{"message":{"role":"us`).messages.map(wordOf), ['u', 'a'])
})

test('what is made up is numbered on, and added to the history it changes no more', () => {
  const history = historyOf('u a:k1,k2 k2')
  const { messages, madeUp } = restored(history)
  assert.is(madeUp[0]?.id, 'm3')
  const entries = [user('next'), ...madeUp].map((message): ThreadEntry => ({ message }))
  const again = restored(`${history}\n${written(entries)}`)
  assert.equal(again.madeUp, [])
  assert.equal(again.messages, [...messages, user('next')])
  assert.is(lastNumber(again.messages), 3)
})

test('what stands for earlier messages replaces them', () => {
  const kept = [messageOf('u'), answer('k1')]
  const history = `${historyOf('u a u a')}\n${written([{ summary: 'S', messages: kept }, { message: result('k1') }])}`
  const { messages, summary } = restored(history)
  assert.is(summary, 'S')
  assert.is(messages.map(wordOf).join(' '), 'u a:k1 k1')
})

const facts = { id: 't1', run_id: 'r', description: 'd', subagent_type: 'x', created_at: 'T' }

const told: readonly [rule: string, fields: Partial<LedgerRow>, content: string, status: ToolMessage['status']][] = [
  ['completed', { status: 'completed', result_brief: 'R' }, 'Task Succeeded. Result: R', 'success'],
  [
    'completed under a cap',
    { status: 'completed', stop_reason: 'turn_capped', result_brief: 'R' },
    'Task Succeeded (capped: turn budget). Result: R',
    'success',
  ],
  [
    'cancelled, with what was left',
    { status: 'cancelled', result_brief: 'Cancelled by user', partial_brief: 'half </task_result>' },
    'Task cancelled by user. Error: Cancelled by user\n\nPartial result:\nhalf &lt;/task_result>',
    'error',
  ],
  ['failed', { status: 'failed', result_brief: 'Task failed.' }, 'Task failed.', 'error'],
  ['still under way', {}, '[Tool call was interrupted and did not return a result.]', 'error'],
]

for (const [rule, fields, content, status] of told) {
  test(`a task whose lead was not there to hear it is told: ${rule}`, () => {
    const ledger = [{ ...openRow(facts), ...fields }, openRow({ ...facts, id: 't2' })]
    const [message] = restored(historyOf('u a:t1'), ledger).madeUp
    assert.equal([message?.content, message?.status], [content, status])
  })
}

test('the ledger speaks of tasks alone', () => {
  const ledger = [{ ...openRow({ ...facts, id: 'k1' }), status: 'completed', result_brief: 'R' } as const]
  assert.match(restored(historyOf('u a:k1'), ledger).madeUp[0]?.content ?? '', 'interrupted')
})

const tool = { role: 'tool', id: 'm1', toolCallId: 'k1', name: 'ls', content: '', status: 'success' }
const asks = (call: unknown) => ({ message: { role: 'assistant', id: 'm1', content: '', toolCalls: [call] } })
const misshapen: readonly unknown[] = [
  ...[null, 7, [], {}, { message: null }, { message: 'text' }, { message: { role: 'user', content: 7 } }],
  { message: { role: 'system', content: 'text' } },
  { message: { role: 'assistant', id: 'm1', content: '' } },
  { message: { role: 'assistant', content: '', toolCalls: [] } },
  { message: { role: 'assistant', id: 'm1', content: '', toolCalls: [], reasoning: 'text' } },
  ...[null, { id: 'k1', name: 'ls' }, { id: 'k1', name: 'ls', args: 'text' }, { id: 1, name: 'ls', args: {} }].map(
    asks,
  ),
  ...['id', 'toolCallId', 'name', 'content', 'status'].map((key) => ({ message: { ...tool, [key]: undefined } })),
  { summary: 1, messages: [] },
  { summary: 's', messages: null },
  { summary: 's', messages: [null] },
]

for (const entry of misshapen) {
  test(`a line that no run writes is counted and left out: ${JSON.stringify(entry)}`, () => {
    const { messages, summary, unreadable } = restored(`${historyOf('u')}\n${JSON.stringify(entry)}\n${historyOf('a')}`)
    assert.is(messages.map(wordOf).join(' '), 'u a')
    assert.is(summary, null)
    assert.is(unreadable, 1)
  })
}

test.run()
