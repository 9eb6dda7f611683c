import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openRow } from '../../src/policy/ledger.ts'
import { createConversations } from '../../src/runtime/conversations.ts'

const row = (id: string) => openRow({ id, run_id: 'r', description: 'd', subagent_type: 'x', created_at: 'T' })

test('a new thread has nothing behind it', () => {
  assert.equal(createConversations().open('t').recall(), { history: '', ledger: [] })
})

test('a run goes on from what the last one left, and each thread from its own', () => {
  const conversations = createConversations()
  const [a, b] = [conversations.open('a'), conversations.open('b')]
  a.add('one')
  a.note(row('c1'))
  a.note({ ...row('c1'), status: 'cancelled' })
  b.add('other')
  conversations.keep(a)
  conversations.keep(b)
  const again = conversations.open('a')
  const recalled = again.recall()
  assert.equal(recalled, { history: 'one', ledger: [{ ...row('c1'), status: 'cancelled' }] })
  again.add('two')
  assert.is(recalled.history, 'one', 'what was handed out stays as it was')
  assert.is(again.recall().history, 'one\ntwo')
  assert.is(conversations.open('b').recall().history, 'other')
})

test('what a run holds is its own until it is taken back', () => {
  const conversations = createConversations()
  const held = conversations.open('a')
  held.add('one')
  assert.is(conversations.open('a').recall().history, '')
})

const historyOf = (conversations: ReturnType<typeof createConversations>, id: string): string => {
  const conversation = conversations.open(id)
  const { history } = conversation.recall()
  conversations.keep(conversation)
  return history
}

test('beyond their number the longest unused go', () => {
  const conversations = createConversations()
  for (let i = 0; i < 1001; i++) {
    const conversation = conversations.open(`t${i}`)
    conversation.add('x')
    conversations.keep(conversation)
    if (i === 900) assert.is(historyOf(conversations, 't0'), 'x')
  }
  assert.is(historyOf(conversations, 't0'), 'x', 'it was used since')
  assert.is(conversations.open('t1').recall().history, '', 'the longest unused')
  assert.is(historyOf(conversations, 't2'), 'x')
})

test('beyond their size too, but never the one that was used last', () => {
  const conversations = createConversations()
  const megabyte = 'x'.repeat(1024 * 1024)
  const keep = (id: string, megabytes: number): void => {
    const conversation = conversations.open(id)
    for (let i = 0; i < megabytes; i++) conversation.add(megabyte)
    conversations.keep(conversation)
  }
  keep('a', 10)
  keep('b', 6)
  assert.is(historyOf(conversations, 'a').length > 0, true)
  keep('c', 1)
  assert.is(historyOf(conversations, 'b'), '')
  assert.is(historyOf(conversations, 'a').length > 0, true)
  keep('huge', 20)
  assert.is(conversations.open('a').recall().history, '')
  assert.is(historyOf(conversations, 'huge').length > 0, true)
})

test.run()
