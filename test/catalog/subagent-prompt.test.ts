import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DEFAULT_ROLE, leadPrompt } from '../../src/catalog/lead-prompt.ts'
import { subagentPrompt } from '../../src/catalog/subagent-prompt.ts'
import { locate } from '../../src/sandbox/locate.ts'
import { createView } from '../../src/sandbox/view.ts'
import { TASK_TOOL } from '../../src/tools/task-tool.ts'
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

test('weak point 2: no prompt recommends a path that the tools refuse', async () => {
  const catalog = await catalogOf(config)
  const prompts = [
    leadPrompt({ role: DEFAULT_ROLE, mounts: [], delegation: null }),
    ...['general-purpose', 'bash', 'poet'].map((name) => subagentPrompt(find(catalog, name), true)),
    TASK_TOOL.description,
  ]
  const view = createView({ userData: '/home/of/troupe', mounts: [] })
  const paths = prompts.flatMap((prompt) => prompt.match(/(\/mnt\/|\.\.\/)[\w./-]*\w/g) ?? [])
  assert.ok(paths.length > 10 && paths.includes('../uploads'), paths.join())
  for (const path of paths) assert.ok(locate(view, path).root, path)
})

test.run()
