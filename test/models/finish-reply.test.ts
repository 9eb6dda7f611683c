import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ModelSettings } from '../../src/contract/settings.ts'
import { isFault } from '../../src/models/answer.ts'
import { finishReply } from '../../src/models/finish-reply.ts'
import type { ModelReply } from '../../src/models/port.ts'
import { replyOf, settings } from './ask.ts'

const call = { id: 'a', name: 'read', args: {} }
const model = settings('http://127.0.0.1:1')
const finish = (fields: Partial<ModelReply>, changes: Partial<ModelSettings> = {}) =>
  finishReply({ ...model, ...changes }, replyOf(fields))

interface Row {
  readonly name: string
  readonly reply: Partial<ModelReply>
  /** Part of why the answer is no answer; `null`: it is one. */
  readonly incomplete: string | null
  /** Calls that remain. */
  readonly calls?: number
}

const rows: readonly Row[] = [
  { name: 'an answer', reply: { text: 'Hi', finishReason: 'stop' }, incomplete: null },
  { name: 'an answer whose end nobody explained', reply: { text: 'Hi', finishReason: null }, incomplete: null },
  { name: 'an end that nobody knows', reply: { text: 'Hi', finishReason: 'eos' }, incomplete: null },
  { name: 'calls that say stop', reply: { toolCalls: [call], finishReason: 'stop' }, incomplete: null, calls: 1 },
  { name: 'tool_calls without calls', reply: { finishReason: 'tool_calls' }, incomplete: null },
  { name: 'a filter without text', reply: { finishReason: 'content_filter' }, incomplete: 'content filter blocked' },
  {
    name: 'a filter after half a sentence and a call',
    reply: { text: 'Here is how', toolCalls: [call], finishReason: 'content_filter' },
    incomplete: '(finish_reason content_filter)',
  },
  { name: "Gemini's word in capitals", reply: { finishReason: 'SAFETY' }, incomplete: 'content filter' },
  { name: 'a refusal as the end', reply: { text: 'No.', finishReason: 'refusal' }, incomplete: 'refused to answer' },
  {
    name: 'a refusal in words',
    reply: { refusal: "I can't help with that.", finishReason: 'stop' },
    incomplete: "the model refused to answer: I can't help with that.",
  },
  { name: 'a text that was cut', reply: { text: 'Once upon', finishReason: 'length' }, incomplete: 'was cut off' },
  { name: 'nothing but the limit', reply: { finishReason: 'max_tokens' }, incomplete: 'before it had said anything' },
  {
    name: 'calls at the limit run',
    reply: { text: 'I read', toolCalls: [call], finishReason: 'length' },
    incomplete: null,
    calls: 1,
  },
]

for (const { name, reply, incomplete, calls = 0 } of rows)
  test(name, () => {
    const finished = finish(reply)
    if (isFault(finished)) return assert.unreachable(finished.words)
    assert.is(finished.text, reply.text ?? '')
    assert.is(finished.toolCalls.length, calls)
    if (incomplete === null) assert.is(finished.incomplete, null)
    else {
      assert.is(finished.incomplete?.code, 'MODEL_FAILED')
      assert.ok(finished.incomplete?.message.startsWith('Model "main": '))
      assert.ok(finished.incomplete?.message.includes(incomplete), finished.incomplete?.message)
    }
  })

for (const finishReason of ['error', 'network_error', 'insufficient_system_resource', 'malformed_function_call'])
  test(`the provider's own trouble is a failure that may pass: ${finishReason}`, () => {
    const fault = finish({ text: 'Hal', finishReason })
    assert.ok(isFault(fault) && fault.retryable && fault.words.includes(finishReason))
  })

const thought = { field: 'reasoning_content', text: 'hm' } as const
const bare = { field: 'reasoning', text: 'hm' } as const
const replays: readonly (readonly [ModelSettings['reasoningReplay'], Partial<ModelReply>, object | null])[] = [
  ['auto', { reasoning: thought, toolCalls: [call] }, thought],
  ['auto', { reasoning: bare, toolCalls: [call] }, null],
  ['auto', { reasoning: thought, text: 'done' }, null],
  [true, { reasoning: bare, toolCalls: [call] }, bare],
  [false, { reasoning: thought, toolCalls: [call] }, null],
]
for (const [reasoningReplay, reply, kept] of replays)
  test(`reasoning_replay ${reasoningReplay}: of ${JSON.stringify(reply)} ${kept ? 'it' : 'nothing'} is kept`, () => {
    const finished = finish(reply, { reasoningReplay })
    assert.equal(isFault(finished) ? finished : finished.reasoning, kept)
  })

test.run()
