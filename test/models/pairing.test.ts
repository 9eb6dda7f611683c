import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../../src/contract/messages.ts'
import { requestBody } from '../../src/models/request-body.ts'
import { repairTranscript } from '../../src/policy/repair-transcript.ts'
import { type Chance, createChance } from '../support/random.ts'
import { wireErrors } from '../support/wire-errors.ts'
import { requestTo, settings } from './ask.ts'

const model = settings('http://127.0.0.1:1')
const IDS = ['a', 'b', 'c', '', 'call_1_1', 'a_2']
const TEXTS = ['', ' ', 'text', 'half \ud83e', '日本']

const callOf = (chance: Chance): ToolCall => ({
  id: chance.pick(IDS),
  name: chance.pick(['read', 'write', '']),
  args: { path: chance.pick(TEXTS) },
  ...(chance.often(0.2) && { invalid: 'not valid JSON' }),
})

const assistant = (chance: Chance): AssistantMessage => ({
  role: 'assistant',
  id: 'm',
  content: chance.pick(TEXTS),
  toolCalls: Array.from({ length: chance.below(4) }, () => callOf(chance)),
})

const result = (toolCallId: string, chance: Chance): ToolMessage => ({
  role: 'tool',
  id: 'm',
  toolCallId,
  name: 'n',
  content: chance.pick(TEXTS),
  status: 'success',
})

/** A conversation as it may be left behind: turns that were interrupted anywhere, results that are missing, late or strange. */
const transcriptOf = (chance: Chance): Message[] => {
  const messages: Message[] = [{ role: 'user', content: 'Hi' }]
  for (let turns = chance.below(8); turns > 0; turns--) {
    const turn = assistant(chance)
    messages.push(turn)
    const answers = turn.toolCalls.filter(() => chance.often(0.8)).map(({ id }) => result(id, chance))
    if (chance.often(0.3)) answers.reverse()
    if (chance.often(0.3)) messages.push({ role: 'user', content: 'And now?' })
    messages.push(...answers)
    if (chance.often(0.2)) messages.push(result(chance.pick(IDS), chance))
  }
  return chance.often(0.3) ? messages.slice(chance.below(messages.length)) : messages
}

const sentOf = (messages: readonly Message[], note: string | null) =>
  JSON.parse(requestBody(requestTo(model, { messages: repairTranscript(messages), note })).text).messages

test('whatever was interrupted, the next request is one that a strict provider takes', () => {
  for (let seed = 1; seed <= 5000; seed++) {
    const chance = createChance(seed)
    const messages = transcriptOf(chance)
    const sent = sentOf(messages, chance.often(0.3) ? 'note' : null)
    assert.equal(wireErrors(sent), [], `seed ${seed}`)
    const words = messages.flatMap((message) => (message.role === 'user' ? [message.content] : []))
    const said = sent.flatMap((message: { role: string; content: string }) =>
      message.role === 'user' && message.content !== 'note' ? [message.content] : [],
    )
    assert.equal(said, words, `seed ${seed}: every word of the user is there, once`)
  }
})

test('a result is never told of another call', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const chance = createChance(seed)
    const messages = transcriptOf(chance).map((message, i) =>
      message.role === 'tool' ? { ...message, content: `of ${message.toolCallId} ${i}` } : message,
    )
    const repaired = repairTranscript(messages)
    for (const [i, message] of repaired.entries()) {
      if (message.role !== 'tool' || !message.content.startsWith('of ')) continue
      const before = repaired.slice(0, i).findLast(({ role }) => role === 'assistant') as AssistantMessage
      const call = before.toolCalls.find(({ id }) => id === message.toolCallId)
      const own = message.content.split(' ')[1] ?? ''
      assert.ok(call?.id.startsWith(own === '' ? 'call_' : own), `seed ${seed}: ${message.content} for ${call?.id}`)
    }
  }
})

test('a transcript that grows keeps its beginning, also when it had to be repaired', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const chance = createChance(seed)
    const messages = transcriptOf(chance)
    const before = JSON.stringify(sentOf([...messages, { role: 'user', content: 'More' }], null)).slice(0, -1)
    messages.push({ role: 'user', content: 'More' }, { role: 'assistant', id: 'm', content: 'Yes', toolCalls: [] })
    assert.ok(JSON.stringify(sentOf(messages, null)).startsWith(before), `seed ${seed}`)
  }
})

test.run()
