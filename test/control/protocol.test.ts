import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Fault, walkProtocol } from './protocol-model.ts'

test('no interleaving of agents and host breaks the protocol', () => {
  const { states, violations } = walkProtocol({ lives: 3, deaths: 2 })
  assert.equal([...violations], [])
  assert.ok(states > 5000, `${states} states`)
})

/** Each planted fault, and what the walk must find. */
const faults: readonly [fault: Fault, found: RegExp][] = [
  ['plain store', /settled by host and agent/],
  ['plain store on the host', /settled by agent and host/],
  ['no drain', /agent won, the end is of nobody/],
  ['swap before post', /agent won, the end is of nobody/],
  ['release without generation', /wrote into a slot it has not/],
  ['release before let go', /wrote into a slot it has not/],
]

for (const [fault, found] of faults) {
  test(`a planted fault is found: ${fault}`, () => {
    const { violations } = walkProtocol({ lives: 2, deaths: 1 }, fault)
    assert.match([...violations.keys()].join('\n'), found)
  })
}

test.run()
