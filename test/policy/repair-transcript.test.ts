import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message } from '../../src/contract/messages.ts'
import { repairTranscript } from '../../src/policy/repair-transcript.ts'

/** One word a message: `user:text`, `says:text`, `calls:a,b`, `bad:a` (a call whose arguments were unreadable), `result:a=text`. */
const read = (words: string): Message[] =>
  words.split(' ').map((word): Message => {
    const [kind, rest = ''] = word.split(':')
    const [id = '', text = ''] = rest.split('=')
    if (kind === 'user') return { role: 'user', content: rest }
    if (kind === 'result')
      return { role: 'tool', id: `r-${id}`, toolCallId: id, name: 'n', content: text, status: 'success' }
    if (kind === 'says') return { role: 'assistant', id: 'm', content: rest, toolCalls: [] }
    const invalid = kind === 'bad' ? { invalid: 'cut off' } : {}
    const toolCalls = rest.split(',').map((call) => ({ id: call, name: call === '' ? '' : 'n', args: {}, ...invalid }))
    return { role: 'assistant', id: 'm', content: '', toolCalls }
  })

const write = (messages: readonly Message[]): string =>
  messages
    .map((message) => {
      if (message.role === 'user') return `user:${message.content}`
      if (message.role === 'tool') return `result:${message.toolCallId}=${short(message.content)}`
      const { content, toolCalls } = message
      return toolCalls.length === 0 ? `says:${content}` : `calls:${toolCalls.map(({ id }) => id)}`
    })
    .join(' ')

const short = (content: string): string =>
  content.includes('interrupted') ? 'INTERRUPTED' : content.includes('invalid') ? 'INVALID' : content

const sound = [
  'user:hi',
  'user:hi says:hello user:more',
  'user:hi calls:a,b result:a=1 result:b=2 says:done',
  'user:hi calls:a result:a=1 calls:a result:a=2 says:done',
]
for (const words of sound)
  test(`is left as it is: ${words}`, () => {
    const messages = read(words)
    assert.is(repairTranscript(messages), messages)
  })

const rows: readonly (readonly [name: string, before: string, after: string])[] = [
  ['a call without a result', 'user:hi calls:a user:next', 'user:hi calls:a result:a=INTERRUPTED user:next'],
  ['the last call, still open', 'user:hi calls:a', 'user:hi calls:a result:a=INTERRUPTED'],
  ['one of two', 'calls:a,b result:b=2', 'calls:a,b result:a=INTERRUPTED result:b=2'],
  ['unreadable arguments', 'bad:a', 'calls:a result:a=INVALID'],
  ['a result without a call', 'user:hi result:x=1 says:ok', 'user:hi says:ok'],
  ['a result that comes twice', 'calls:a result:a=1 result:a=2', 'calls:a result:a=1'],
  ['results out of order', 'calls:a,b result:b=2 result:a=1', 'calls:a,b result:a=1 result:b=2'],
  [
    'a result behind the next user message',
    'calls:a,b user:next result:b=late',
    'calls:a,b result:a=INTERRUPTED result:b=late user:next',
  ],
  [
    'an id that a later turn repeats: its result is its own',
    'calls:a user:x calls:a result:a=2',
    'calls:a result:a=INTERRUPTED user:x calls:a result:a=2',
  ],
  [
    'one id twice in a turn, first come first served',
    'calls:a,a result:a=1 result:a=2',
    'calls:a,a_2 result:a=1 result:a_2=2',
  ],
  ['calls without ids', 'calls:, result:=1 result:=2', 'calls:call_1_1,call_1_2 result:call_1_1=1 result:call_1_2=2'],
  ['an empty assistant message', 'user:hi says: user:next', 'user:hi user:next'],
]
for (const [name, before, after] of rows)
  test(name, () => {
    assert.is(write(repairTranscript(read(before))), after)
    assert.is(write(repairTranscript(repairTranscript(read(before)))), after, 'once is enough')
  })

test('a stand-in is an error and short, whatever was wrong with the arguments', () => {
  const calls = [{ id: 'a', name: 'n', args: {}, invalid: `$& ${'x'.repeat(2000)}` }]
  const [, result] = repairTranscript([{ role: 'assistant', id: 'm', content: '', toolCalls: calls }])
  assert.ok(result?.role === 'tool' && result.status === 'error')
  assert.match(result.content, '$& xxx')
  assert.ok(result.content.length < 600)
})

test('a name that is missing gets a stand-in, which providers accept', () => {
  const [turn] = repairTranscript(read('calls:'))
  assert.is(turn?.role === 'assistant' && turn.toolCalls[0]?.name, 'unnamed')
})

test.run()
