import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addUsage, NO_USAGE } from '../../src/contract/messages.ts'

const counted = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const estimated = { ...counted, estimated: true as const }

const sums = [
  { name: 'nothing and nothing is nothing', a: NO_USAGE, b: NO_USAGE, sum: NO_USAGE },
  { name: 'each count is added', a: counted, b: counted, sum: { input_tokens: 6, output_tokens: 4, total_tokens: 10 } },
  { name: 'an estimate on the left marks the sum', a: estimated, b: NO_USAGE, sum: estimated },
  { name: 'an estimate on the right marks the sum', a: NO_USAGE, b: estimated, sum: estimated },
]

for (const { name, a, b, sum } of sums) test(name, () => assert.equal(addUsage(a, b), sum))

test.run()
