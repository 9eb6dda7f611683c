import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { questionResult, questionText } from '../../src/policy/clarification.ts'

const rows: readonly [rule: string, args: Record<string, unknown>, text: string | null][] = [
  ['a question is itself', { question: ' Which one?\n' }, 'Which one?'],
  ['choices stand below it', { question: 'Which?', options: ['this', 'that'] }, 'Which?\n- this\n- that'],
  ['no choices are none', { question: 'Which?', options: [] }, 'Which?'],
  ['a blank question is none', { question: ' \n', options: ['this'] }, null],
]

for (const [rule, args, text] of rows) test(rule, () => assert.is(questionText(args), text))

test('decision 23: a lead gives back its question, a subagent under a tag', () => {
  assert.is(questionResult('Which?', 'lead'), 'Which?')
  assert.is(questionResult('Which?', 'subagent'), '[NEEDS INPUT] Which?')
})

test.run()
