import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createHunt } from '../../src/runtime/hunt.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a hunt begins when all groups are gone, and takes those of one moment together', async () => {
  const hunted: (readonly string[])[] = []
  const hunt = createHunt((marks) => void hunted.push(marks))
  hunt.after([1, 2], 'a')
  hunt.after([3], 'b')
  hunt.after([], 'c')
  hunt.gone(1)
  hunt.gone(9)
  await turn()
  assert.equal(hunted, [['c']])
  hunt.gone(3)
  hunt.gone(2)
  hunt.gone(2)
  await turn()
  assert.equal(hunted, [['c'], ['b', 'a']])
  await turn()
  assert.is(hunted.length, 2)
})

test.run()
