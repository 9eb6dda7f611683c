import { createRuntime } from '../../src/index.ts'
import { modelAt } from '../support/runtime-scene.ts'

// A host of its own, for tests that end it while its agents run commands.
const [, , url = '', home = '', how = ''] = process.argv

const runtime = await createRuntime({
  config: { models: [modelAt(url)], sandbox: { allow_host_bash: true }, runtime: { threads: 2 } },
  home,
})
const run = runtime.run('lead', { maxConcurrentSubagents: 8, maxTotalSubagents: 8 })
process.once('SIGUSR2', () => {
  if (how === 'exits') process.exit(3)
  throw new Error('a fault of the host')
})
await run.result
