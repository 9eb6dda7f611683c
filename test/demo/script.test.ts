import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DEMO_MODEL } from '../../src/demo/lead.ts'
import type { NumberedCall } from '../../src/demo/plan.ts'
import { nextReply } from '../../src/demo/script.ts'
import { TOPICS } from '../../src/demo/topics.ts'
import type { ScriptedBody } from '../../src/testing/scripted-model.ts'

type WireMessage = NonNullable<ScriptedBody['messages']>[number]

const LEAD = ['task', 'ls']
const SUB = ['ls', 'read_file', 'glob', 'grep']

const user = (content: unknown): WireMessage => ({ role: 'user', content })
const says = (calls: readonly NumberedCall[], content: string | null = ''): WireMessage => ({
  role: 'assistant',
  content,
  tool_calls: calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })),
})
const result = (id: string, content: string): WireMessage => ({ role: 'tool', tool_call_id: id, content })
const ask = (tools: readonly string[], ...messages: readonly WireMessage[]) =>
  nextReply({
    messages: [{ role: 'system', content: 'x' }, ...messages],
    tools: tools.map((name) => ({ function: { name } })),
  })

const first = ask(LEAD, user('Survey the folder /mnt/project: all of it'))
const [one, two, three] = first.calls as readonly [NumberedCall, NumberedCall, NumberedCall]
const done = (call: NumberedCall, text: string) => result(call.id, `Task Succeeded. Result: ${text}`)

test('the lead begins with three tasks in one answer, and says what it is', () => {
  assert.is(first.calls.length, 3)
  assert.ok(first.text.includes(DEMO_MODEL))
  for (const { name, args } of first.calls) {
    assert.is(name, 'task')
    assert.is(args['subagent_type'], 'general-purpose')
    assert.ok(String(args['description']).length > 3)
    assert.match(String(args['prompt']), '/mnt/project')
  }
  assert.is(new Set(first.calls.map(({ id }) => id)).size, 3)
})

test('a question that a script cannot answer is said to be one', () => {
  assert.match(ask(LEAD, user('Why is\nthe sky blue?')).text, 'A script cannot answer “Why is the sky blue?”')
  assert.match(ask(LEAD, user([{ type: 'text', text: 'Why?' }])).text, '“Why?”')
})

test('the answer holds the three findings', () => {
  const { text, calls } = ask(
    LEAD,
    user('Survey the folder /mnt/project: x'),
    says(first.calls),
    done(one, '9 files.\n- A'),
    done(two, 'A README.\n- B'),
    done(three, 'No marks.\n- C'),
  )
  assert.equal(calls, [])
  assert.match(text, '**In short:** 9 files. A README. No marks.')
  for (const part of [
    '## Layout and languages\n9 files.\n- A',
    '## Documentation\nA README.\n- B',
    '## Dependencies and open ends\nNo marks.\n- C',
  ])
    assert.match(text, part)
  assert.match(text, DEMO_MODEL)
})

const troubles = [
  {
    name: 'a task that failed',
    content: 'Task failed. Error: no luck',
    says: '## Documentation\nNot finished: Task failed. Error: no luck',
  },
  {
    name: 'a task that was cancelled',
    content: 'Task cancelled by user. Error: stop',
    says: 'Not finished: Task cancelled by user. Error: stop',
  },
  {
    name: 'a task that a cap ended',
    content: 'Task Succeeded (capped: turn budget). Result: Half.',
    says: '## Documentation\nHalf.',
  },
]
for (const { name, content, says: wanted } of troubles) {
  test(`the answer is honest about ${name}`, () => {
    const { text, calls } = ask(
      LEAD,
      user('x'),
      says(first.calls),
      done(one, 'A.'),
      result(two.id, content),
      done(three, 'C.'),
    )
    assert.equal(calls, [])
    assert.match(text, wanted)
  })
}

test('all tasks failed', () => {
  const failed = first.calls.map(({ id }) => result(id, 'Task failed.'))
  assert.match(
    ask(LEAD, user('x'), says(first.calls), ...failed).text,
    'None of the subagents came back with findings.',
  )
})

test('tasks that the runtime trimmed are handed out again, a few times', () => {
  const trimmed = [user('x'), says([one]), done(one, 'A.')]
  const again = ask(LEAD, ...trimmed)
  assert.equal(
    again.calls.map(({ args }) => args['description']),
    ['Documentation', 'Dependencies and open ends'],
  )
  assert.not.ok(again.calls.some(({ id }) => first.calls.some((call) => call.id === id)))
  const [more, last] = again.calls as readonly [NumberedCall, NumberedCall]
  const third = ask(LEAD, ...trimmed, says([more]), done(more, 'B.'))
  assert.equal(
    third.calls.map(({ args }) => args['description']),
    ['Dependencies and open ends'],
  )
  assert.match(
    ask(LEAD, ...trimmed, says([more, last]), done(more, 'B.'), done(last, 'C.')).text,
    '**In short:** A. B. C.',
  )
  const never = [says([]), says([]), says([]), says([])].map((message) => ({
    ...message,
    tool_calls: [{ id: 'other' }],
  }))
  assert.match(ask(LEAD, user('x'), ...never).text, 'Not surveyed: the runtime did not run this task.')
})

test('ids that the runtime numbered are known again', () => {
  const renamed = first.calls.map((call) => ({ ...call, id: `${call.id}_2` }))
  const results = renamed.map((call, i) => done(call, `R${i}.`))
  assert.match(ask(LEAD, user('x'), says(renamed), ...results).text, 'R0. R1. R2.')
})

test('when the task tool is taken away, the lead answers with what it has', () => {
  assert.match(ask(['ls'], user('x'), says([one]), done(one, 'A.')).text, '**In short:** A.')
  assert.match(ask([], user('x')).text, 'None of the subagents came back')
})

test('a second run of a conversation begins anew', () => {
  const { calls } = ask(
    LEAD,
    user('x'),
    says(first.calls),
    ...first.calls.map((call) => done(call, 'A.')),
    { role: 'assistant', content: 'The end.' },
    user('again'),
  )
  assert.is(calls.length, 3)
})

for (const { name, prompt } of TOPICS) {
  test(`the subagent for ${name} begins by listing the folder`, () => {
    const { text, calls } = ask(SUB, user(prompt))
    assert.ok(text.length > 0)
    assert.is(calls[0]?.name, 'ls')
    assert.equal(calls[0]?.args, { path: '/mnt/project' })
  })

  test(`the subagent for ${name} knows its prompt among other words`, () =>
    assert.is(ask(SUB, user(`<context>\n${prompt}\n</context>`)).calls[0]?.name, 'ls'))

  test(`the subagent for ${name} answers at once when it has no tools`, () => {
    const { text, calls } = ask([], user(prompt))
    assert.equal(calls, [])
    assert.match(text, 'before the script had come to its end')
  })
}

test('what a subagent does next follows from what it was shown', () => {
  const documentation = TOPICS.find(({ name }) => name === 'documentation')
  const start = [user(documentation?.prompt ?? '')]
  const { calls } = ask(SUB, ...start)
  const [ls, glob] = calls as readonly [NumberedCall, NumberedCall]
  const after = (listing: string) =>
    ask(SUB, ...start, says(calls), result(ls.id, listing), result(glob.id, 'No files matched under /mnt/project'))
  assert.equal(
    after('/mnt/project/ReadMe.rst\n/mnt/project/COPYING').calls.map(({ args }) => args['path']),
    ['/mnt/project/ReadMe.rst', '/mnt/project/COPYING'],
  )
  assert.match(after('(empty)').text, 'No README was found.')
})

test('a request that makes no sense is answered all the same', () => {
  for (const body of [null, {}, { messages: [] }, { messages: [{ role: 'tool' }] }] as const)
    assert.ok(nextReply(body).text.length > 0)
})

test.run()
