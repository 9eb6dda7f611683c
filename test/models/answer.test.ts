import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnswer, isFault } from '../../src/models/answer.ts'
import { passing } from '../../src/models/failure.ts'
import { checkAnswer } from './check-answer.ts'
import { answers } from './rows/answers.ts'
import { done, stop, text, usage } from './sse.ts'

for (const row of answers) test(row.name, () => checkAnswer(row))

test('an error after the finish reason changes nothing', () => {
  const body = `${text('Hello')}${stop}data: {"error":{"message":"late"}}\n\n`
  checkAnswer({ name: '', body, text: 'Hello' })
})

test('nothing after [DONE] is read', () => {
  const body = text('Hello') + stop + done + text(' again') + usage
  checkAnswer({ name: '', body, text: 'Hello', usage: null })
})

test('a connection that breaks after the finish reason has brought an answer', () => {
  const answer = createAnswer({ text: () => {}, settled: () => {} })
  answer.head(200, () => undefined)
  answer.piece(text('Hello') + stop)
  const outcome = answer.outcome(passing('broken'))
  assert.is(isFault(outcome) ? outcome.words : outcome.text, 'Hello')
})

test.run()
