import { test } from 'uvu'
import { checkAnswer } from './check-answer.ts'
import { toolCalls } from './rows/tool-calls.ts'

for (const row of toolCalls) test(row.name, () => checkAnswer(row))

test.run()
