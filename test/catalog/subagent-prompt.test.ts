import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { subagentPrompt } from '../../src/catalog/subagent-prompt.ts'
import { catalogOf, find } from './support.ts'

const own = { description: 'd', system_prompt: 'You review.\n' }
const config = { subagents: { custom_agents: { poet: own } }, agents: { reviewer: own } }

for (const name of ['general-purpose', 'bash']) {
  test(`decision 25: ${name} is told the same wherever it runs`, async () => {
    const definition = find(await catalogOf(config), name)
    for (const reachesFiles of [true, false])
      assert.is(subagentPrompt(definition, reachesFiles), definition.systemPrompt)
  })
}

for (const name of ['poet', 'reviewer']) {
  test(`${name} has its own words first, then its place as a subagent, then the folders`, async () => {
    const prompt = subagentPrompt(find(await catalogOf(config), name), true)
    assert.match(prompt, /^You review\.\n\nYou work here as a subagent[^\n]*final message[^\n]*\n\nFiles\n/)
    for (const said of [/Nobody answers questions/, /task tool is not available/, /\/mnt\/user-data\/workspace/])
      assert.match(prompt, said)
  })

  test(`${name} without a tool that reaches files hears of none`, async () => {
    assert.not.match(subagentPrompt(find(await catalogOf(config), name), false), /Files|\/mnt/)
  })
}

test.run()
