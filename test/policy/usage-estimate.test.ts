import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message } from '../../src/contract/messages.ts'
import type { ToolSpec } from '../../src/contract/tools.ts'
import { charsOf, createMeasure, estimateUsage, tokensOf } from '../../src/policy/usage-estimate.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string, args?: Readonly<Record<string, unknown>>): Message => ({
  role: 'assistant',
  id: 'm1',
  content,
  toolCalls: args === undefined ? [] : [{ id: 'c', name: 'tool', args }],
})
const result = (content: string): Message => ({
  role: 'tool',
  id: 'm2',
  toolCallId: 'c',
  name: 'tool',
  content,
  status: 'success',
})

const sizes: readonly (readonly [Message, number])[] = [
  [user(''), 0],
  [user('12345'), 5],
  [assistant('abc'), 3],
  [assistant('abc', { a: 1 }), 3 + 'tool{"a":1}'.length],
  [result('123'), 3],
]

for (const [message, chars] of sizes) {
  test(`${JSON.stringify(message)} has ${chars} characters`, () => assert.is(charsOf(message), chars))
}

test('four characters are a token, and a part of one is one', () => {
  assert.equal([0, 1, 4, 5, 400].map(tokensOf), [0, 1, 1, 2, 100])
})

test('a transcript that grows is counted once', () => {
  const measure = createMeasure()
  const messages = [user('12345')]
  assert.is(measure.charsOf(messages), 5)
  messages.push(result('123'), assistant('ab'))
  assert.is(measure.charsOf(messages), 10)
  assert.is(measure.charsOf(messages), 10)
})

test('a call costs what was sent with it, tools included, and what came back', () => {
  const tool: ToolSpec = {
    name: 'tool',
    description: 'does',
    parameters: {},
    placement: 'worker',
    timeoutMs: null,
    group: null,
    module: null,
  }
  const asked = { system: '12345678', chars: 40, tools: [tool, tool] }
  const usage = { input_tokens: 17, output_tokens: 4, total_tokens: 21, estimated: true }
  assert.equal(estimateUsage(asked, assistant('abcd', { a: 1 })), usage)
})

test.run()
