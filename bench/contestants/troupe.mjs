// Troupe as its README has it: one runtime, a run per request, its text read as it streams.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRuntime } from '../../dist/index.js'
import { contest } from '../lib/contestant.mjs'

const SLOW_MS = 20

async function readText(run) {
  let text = ''
  for await (const event of run) if (event.type === 'message_delta') text += event.text
  return text
}

/** Who listens to a run beside the one that waits for its result. */
const readers = {
  reads: readText,
  absent() {},
  async stuck(run) {
    await run.watch()[Symbol.asyncIterator]().next()
  },
  async slow(run) {
    for await (const _ of run.watch()) await sleep(SLOW_MS)
  },
}

contest(async ({ url, tool, placement, toolSeconds, tasks, use, reader = 'reads', include, runtime: sizes = {} }) => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
  const model = (name) => ({ name, model: name, base_url: url, api_key: 'none', ...(use && { use }) })
  const module = fileURLToPath(new URL('../tools/lookup.mjs', import.meta.url))
  const limited = toolSeconds && { timeout_seconds: toolSeconds }
  const runtime = await createRuntime({
    home,
    env: {},
    config: {
      models: [model('lead'), model('sub')],
      tools: [{ name: tool, group: 'bench', use: `${module}#${tool}`, placement, ...limited }],
      subagents: { agents: { 'general-purpose': { model: 'sub' } } },
      runtime: sizes,
    },
  })
  // Room for one more: once a run's delegations are used up, `task` is no longer offered and the bodies would differ.
  const options = { maxConcurrentSubagents: tasks, maxTotalSubagents: tasks + 1, ...(include && { include }) }
  return {
    async run(prompt, signal) {
      const run = runtime.run(prompt, { signal, ...options })
      const text = readers[reader](run)
      const { status, error, delegations } = await run.result
      if (status !== 'completed') throw new Error(`${status}: ${error?.message ?? ''}`)
      const broken = delegations.find((d) => d.status !== 'completed')
      if (broken) throw new Error(`subagent ${broken.status}: ${broken.error}`)
      return reader === 'reads' ? text : ''
    },
    async close() {
      await runtime.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
})
