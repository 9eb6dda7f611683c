import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openRow } from '../../src/policy/ledger.ts'
import { type Conversation, type Conversations, createConversations } from '../../src/runtime/conversations.ts'
import { must } from '../support/runtime-script.ts'

const row = (id: string) => openRow({ id, run_id: 'r', description: 'd', subagent_type: 'x', created_at: 'T' })

const openIn = async (conversations: Conversations, id: string): Promise<Conversation> =>
  must(await conversations.open(id))

test('a new thread has nothing behind it', async () => {
  assert.equal((await openIn(createConversations(), 't')).recall(), { history: '', ledger: [] })
})

test('a run goes on from what the last one left, and each thread from its own', async () => {
  const conversations = createConversations()
  const [a, b] = [await openIn(conversations, 'a'), await openIn(conversations, 'b')]
  a.add('one')
  a.note(row('c1'))
  a.note({ ...row('c1'), status: 'cancelled' })
  b.add('other')
  conversations.keep(a)
  conversations.keep(b)
  const again = await openIn(conversations, 'a')
  const recalled = again.recall()
  assert.equal(recalled, { history: 'one', ledger: [{ ...row('c1'), status: 'cancelled' }] })
  again.add('two')
  assert.is(recalled.history, 'one', 'what was handed out stays as it was')
  assert.is(again.recall().history, 'one\ntwo')
  assert.is((await openIn(conversations, 'b')).recall().history, 'other')
})

test('one run at a time has a conversation, whoever asks first', async () => {
  const conversations = createConversations()
  const [first, second] = await Promise.all([conversations.open('a'), conversations.open('a')])
  assert.is(second, null)
  conversations.keep(must(first))
  assert.ok(await conversations.open('a'))
})

const historyOf = async (conversations: Conversations, id: string): Promise<string> => {
  const conversation = await openIn(conversations, id)
  const { history } = conversation.recall()
  conversations.keep(conversation)
  return history
}

test('beyond their number the longest unused go', async () => {
  const conversations = createConversations()
  for (let i = 0; i < 1001; i++) {
    const conversation = await openIn(conversations, `t${i}`)
    conversation.add('x')
    conversations.keep(conversation)
    if (i === 900) assert.is(await historyOf(conversations, 't0'), 'x')
  }
  assert.is(await historyOf(conversations, 't0'), 'x', 'it was used since')
  assert.is((await openIn(conversations, 't1')).recall().history, '', 'the longest unused')
  assert.is(await historyOf(conversations, 't2'), 'x')
})

test('beyond their size too, but never the one that was used last', async () => {
  const conversations = createConversations()
  const megabyte = 'x'.repeat(1024 * 1024)
  const keep = async (id: string, megabytes: number): Promise<void> => {
    const conversation = await openIn(conversations, id)
    for (let i = 0; i < megabytes; i++) conversation.add(megabyte)
    conversations.keep(conversation)
  }
  await keep('a', 10)
  await keep('b', 6)
  assert.is((await historyOf(conversations, 'a')).length > 0, true)
  await keep('c', 1)
  assert.is((await openIn(conversations, 'b')).recall().history, '')
  assert.is((await historyOf(conversations, 'a')).length > 0, true)
  await keep('huge', 20)
  assert.is((await openIn(conversations, 'a')).recall().history, '')
  assert.is((await historyOf(conversations, 'huge')).length > 0, true)
})

test.run()
