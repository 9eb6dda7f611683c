import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AssistantMessage, Message, ToolMessage } from '../../src/contract/messages.ts'
import type { ToolSpec } from '../../src/contract/tools.ts'
import type { ModelRequest } from '../../src/models/port.ts'
import { requestBody } from '../../src/models/request-body.ts'
import { requestTo, settings } from './ask.ts'

const model = settings('http://127.0.0.1:1/v1')
const textOf = (request: ModelRequest): string => {
  const { text, bytes } = requestBody(request)
  assert.is(bytes, Buffer.byteLength(text))
  return text
}
const bodyOf = (changes: Partial<ModelRequest>) => JSON.parse(textOf(requestTo(model, changes)))

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string, toolCalls: AssistantMessage['toolCalls'] = []): Message => ({
  ...{ role: 'assistant', id: 'm1' },
  content,
  toolCalls,
})
const result = (toolCallId: string, content: string): ToolMessage => ({
  ...{ role: 'tool', id: 'm2', name: 'read', status: 'success' },
  toolCallId,
  content,
  metadata: { never: 'sent' },
})
const system = { role: 'system', content: 'Be brief.' }
const hi = { role: 'user', content: 'Hi' }

const rows: readonly (readonly [string, Partial<ModelRequest>, readonly object[]])[] = [
  [
    'letters of more than one byte',
    { system: 'Sé breve.', messages: [user('Grüße 🦉')], note: '…' },
    [
      { role: 'system', content: 'Sé breve.' },
      { role: 'user', content: 'Grüße 🦉' },
      { role: 'user', content: '…' },
    ],
  ],
  ['the system message comes first', {}, [system, hi]],
  ['a blank system message is left out', { system: ' \n' }, [hi]],
  ['the note comes last, as a user message', { note: 'Hurry.' }, [system, hi, { role: 'user', content: 'Hurry.' }]],
  ['a blank note is left out', { note: '' }, [system, hi]],
  [
    'calls and results',
    { messages: [user('Hi'), assistant('Look.', [{ id: 'a', name: 'read', args: { p: 1 } }]), result('a', 'AAA')] },
    [
      ...[system, hi],
      {
        ...{ role: 'assistant', content: 'Look.' },
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'AAA' },
    ],
  ],
  [
    'calls without text',
    { messages: [assistant(' ', [{ id: 'a', name: 'read', args: {} }])] },
    [
      system,
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
    ],
  ],
  [
    'arguments that could not be read',
    { messages: [assistant('', [{ id: 'a', name: 'read', args: { left: 'over' }, invalid: 'not JSON' }])] },
    [
      system,
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
    ],
  ],
  [
    'an assistant message of nothing is left out',
    { messages: [assistant(''), user('Hi'), assistant('\n')] },
    [system, hi],
  ],
  ['half a character in a text', { system: '', messages: [user('a\ud83e')] }, [{ role: 'user', content: 'a\ufffd' }]],
  ['whole characters and what looks like half', { system: '', messages: [user('🦌 \\ud83e')] }, [user('🦌 \\ud83e')]],
]

for (const [name, changes, messages] of rows) test(name, () => assert.equal(bodyOf(changes).messages, messages))

test('half a character in arguments', () => {
  const { messages } = bodyOf({ messages: [assistant('', [{ id: 'a', name: 'read', args: { p: 'x\udd8c' } }])] })
  assert.equal(JSON.parse(messages[1].tool_calls[0].function.arguments), { p: 'x\ufffd' })
})

test('asks for a stream and its usage, and offers no tools if there are none', () => {
  const { messages: _, ...rest } = bodyOf({})
  assert.equal(rest, { model: 'test-model', stream: true, stream_options: { include_usage: true } })
})

test('tools as functions', () => {
  const read: ToolSpec = {
    ...{ name: 'read', description: 'Reads', parameters: { type: 'object' } },
    ...{ placement: 'worker', timeoutMs: 1, group: null, module: null },
  }
  const { placement: _, timeoutMs: __, group: ___, module: ____, ...fn } = read
  for (let i = 0; i < 2; i++) assert.equal(bodyOf({ tools: [read] }).tools, [{ type: 'function', function: fn }])
})

const texts = (messages: readonly Message[]): string[] =>
  bodyOf({ system: '', messages }).messages.map((message: { content: string }) => message.content)

for (const length of [1, 20])
  test(`a transcript of ${length} that grows, shrinks or is rewritten is sent as it is`, () => {
    const before = Array.from({ length }, (_, i) => `message ${i}`)
    const transcript = before.map(user)
    assert.equal(texts(transcript), before)
    transcript.push(assistant(''), user('two'))
    assert.equal(texts(transcript), [...before, 'two'])
    transcript.push(user('three'))
    assert.equal(texts(transcript), [...before, 'two', 'three'])
    transcript[length + 1] = user('deux')
    assert.equal(texts(transcript), [...before, 'deux', 'three'])
    transcript.splice(0, length, user('summary'))
    assert.equal(texts(transcript), ['summary', 'deux', 'three'])
    transcript.length = 1
    assert.equal(texts(transcript), ['summary'])
    for (const text of before) transcript.push(user(text))
    assert.equal(texts(transcript), ['summary', ...before])
  })

test('more system prompts than are kept', () => {
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 100; i++) assert.is(bodyOf({ system: `agent ${i}` }).messages[0].content, `agent ${i}`)
})

const thinking: Message = {
  ...{ role: 'assistant', id: 'm1', content: '' },
  toolCalls: [{ id: 'a', name: 'read', args: {} }],
  reasoning: { field: 'reasoning_content', text: 'Look first.' },
}
for (const [reasoningReplay, sent] of [
  ['auto', 'Look first.'],
  [true, 'Look first.'],
  [false, undefined],
] as const)
  test(`reasoning goes back unchanged, with the calls it led to: ${reasoningReplay}`, () => {
    const { messages } = JSON.parse(
      textOf(requestTo(settings('', { reasoningReplay }), { messages: [user('Hi'), thinking, result('a', 'A')] })),
    )
    assert.is(messages[2].reasoning_content, sent)
  })

test('a long transcript whose reasoning is refused is written anew without it', () => {
  const turns = Array.from({ length: 12 }, () => [thinking, result('a', 'A')]).flat()
  const body = (reasoningReplay: 'auto' | false) =>
    textOf(requestTo(settings('', { reasoningReplay }), { messages: turns }))
  assert.is(body('auto').split('Look first.').length, 13)
  assert.not.match(body(false), 'Look first.')
  assert.is(body('auto').split('Look first.').length, 13)
})

test.run()
