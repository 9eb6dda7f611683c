import { writeSync } from 'node:fs'
import { createRuntime } from '../../src/index.ts'
import { modelAt } from '../support/runtime-scene.ts'

// A host that will be killed: many conversations at once, each run after run, and a word of every one that has ended.
const [, , url = '', home = '', tools = '', name = '', count = ''] = process.argv

const tell = (said: object): void => void writeSync(1, `${JSON.stringify(said)}\n`)

const runtime = await createRuntime({
  config: {
    models: [modelAt(url)],
    tools: [{ name: 'who', use: `${tools}#who`, placement: 'isolated' }],
    sandbox: { allow_host_bash: true },
    runtime: { threads: 2, tool_processes: 2 },
  },
  home,
})

/** The last conversation has an id that the runtime makes up. */
const talk = async (threadId: string | undefined): Promise<void> => {
  for (let turn = 0; ; turn++) {
    const prompt = `lead ${name} ${turn}`
    const run = runtime.run(prompt, threadId === undefined ? {} : { threadId })
    tell({ begun: run.threadId })
    threadId = run.threadId
    const { status, text } = await run.result
    tell({ threadId, prompt, status, text })
  }
}

const threads = Array.from({ length: Number(count) }, (_, i) => `${name}-${i}`)
await Promise.all([...threads.slice(1), undefined].map(talk))
