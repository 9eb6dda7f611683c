import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EVENT_TEXT_MAX } from '../../src/contract/limits.ts'
import type { AssistantMessage, ToolCall, ToolMessage } from '../../src/contract/messages.ts'
import { progressOfAnswer, progressOfTool, viewArgs, viewAssistant, viewTool } from '../../src/policy/message-view.ts'

const deer = '\u{1F98C}'
const full = 'x'.repeat(EVENT_TEXT_MAX)

const answer = (content: string, ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  id: 'm1',
  content,
  toolCalls,
})
const call = (name: string, args: ToolCall['args']): ToolCall => ({ id: 'c1', name, args })
const toolMessage = (content: string, status: ToolMessage['status'] = 'success'): ToolMessage => ({
  role: 'tool',
  id: 'm2',
  toolCallId: 'c1',
  name: 'ls',
  content,
  status,
})

test('an answer is seen with its calls', () => {
  assert.equal(viewAssistant(answer('Hm', call('ls', { path: '/' }))), {
    message: { id: 'm1', type: 'ai', content: 'Hm', tool_calls: [{ id: 'c1', name: 'ls', args: { path: '/' } }] },
    truncated: false,
  })
  assert.equal(viewAssistant(answer('Hm')).message, { id: 'm1', type: 'ai', content: 'Hm' })
})

test('a tool result is seen without its metadata', () => {
  assert.equal(viewTool({ ...toolMessage('a\nb', 'error'), metadata: { subagent_status: 'failed' } }), {
    message: { id: 'm2', type: 'tool', content: 'a\nb', tool_call_id: 'c1', name: 'ls', status: 'error' },
    truncated: false,
  })
})

const texts: readonly [rule: string, text: string, seen: string, truncated: boolean][] = [
  ['a text at the bound stays', full, full, false],
  ['one over is cut', `${full}y`, full, true],
  ['a pair at the cut goes as a whole', `${full.slice(1)}${deer}`, full.slice(1), true],
]

for (const [rule, text, seen, truncated] of texts) {
  test(rule, () => {
    assert.equal(
      [viewTool(toolMessage(text)).message.content, viewTool(toolMessage(text)).truncated],
      [seen, truncated],
    )
    assert.equal(
      [viewAssistant(answer(text)).message.content, viewAssistant(answer(text)).truncated],
      [seen, truncated],
    )
  })
}

test('long arguments become the head of their JSON, and the message says so', () => {
  const args = { path: '/', text: full }
  const cut = JSON.stringify(args).slice(0, EVENT_TEXT_MAX)
  assert.equal(viewArgs(args), { args: cut, truncated: true })
  const view = viewAssistant(answer('', call('ls', { path: '/' }), call('write_file', args)))
  assert.is(view.truncated, true)
  assert.equal(
    view.message.tool_calls?.map(({ args }) => args),
    [{ path: '/' }, cut],
  )
  assert.equal(viewArgs(undefined), { args: undefined, truncated: false })
})

const answers: readonly [rule: string, message: AssistantMessage, progress: string][] = [
  ['calls are told by what they are about', answer('I look', call('ls', { path: '/a\n/b' })), 'ls /a /b'],
  [
    'of several, each',
    answer('', call('ls', { path: '/' }), call('grep', { pattern: 'x', path: '/' })),
    'ls /, grep /',
  ],
  ['an argument that is no text tells nothing', answer('', call('ls', { path: 1, depth: 2 })), 'ls'],
  ['words alone are told', answer(' It is\ndone. '), 'It is done.'],
  ['silence is thinking', answer(' \n'), 'thinking'],
  ['it is one line of 200', answer('', call('task', { prompt: 'y'.repeat(999) })), `task ${'y'.repeat(194)}…`],
]

for (const [rule, message, progress] of answers) {
  test(`progress: ${rule}`, () => assert.is(progressOfAnswer(message), progress))
}

test('progress of a tool: done, or why not', () => {
  assert.is(progressOfTool(toolMessage('a')), 'ls done')
  assert.is(progressOfTool(toolMessage('Error:\nno such file', 'error')), 'ls failed: Error: no such file')
  assert.is(progressOfTool(toolMessage('e'.repeat(999), 'error')).length, 200)
})

test.run()
