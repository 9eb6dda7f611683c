import { test } from 'uvu'
import { checkAnswer } from './check-answer.ts'
import { failures } from './rows/failures.ts'

for (const row of failures) test(row.name, () => checkAnswer(row))

test.run()
