import { writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MessagePort } from 'node:worker_threads'
import type { Run, RunOptions, Runtime } from '../../src/contract/api.ts'
import { createRuntime } from '../../src/index.ts'
import { fixtureTool, modelAt, wait } from '../support/runtime-scene.ts'

// A host of its own, whose counts are of nothing else. Says what it found as JSON on its last line.
const [, , how = '', url = '', home = ''] = process.argv

let [posted, received] = [0, 0]
const { postMessage, on } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...args: unknown[]) {
  posted++
  return postMessage.apply(this, args as never)
}
MessagePort.prototype.on = function (this: MessagePort, name: string, listener: (...args: unknown[]) => void) {
  const counting = (...args: unknown[]): void => {
    received++
    listener(...args)
  }
  return on.apply(this, [name, name === 'message' ? counting : listener] as never)
} as typeof on

const buffers: SharedArrayBuffer[] = []
globalThis.SharedArrayBuffer = class extends SharedArrayBuffer {
  constructor(bytes: number) {
    super(bytes)
    buffers.push(this)
  }
} as typeof SharedArrayBuffer

/** How many wait on any word that threads share. Each is woken by the count, and waits again. */
const waiters = (): number =>
  buffers
    .map((buffer) => new Int32Array(buffer))
    .flatMap((words) => Array.from(words, (_, index) => Atomics.notify(words, index)))
    .reduce((a, b) => a + b, 0)

const words = (): readonly number[] => buffers.flatMap((buffer) => [...new Int32Array(buffer)])

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const heapKb = async (): Promise<number> => {
  for (let i = 0; i < 5; i++) {
    collectGarbage()
    await wait(50)
  }
  return process.memoryUsage().heapUsed / 1024
}

const open = (sizes: object = {}): Promise<Runtime> =>
  createRuntime({
    config: { models: [modelAt(url)], tools: [fixtureTool('instant')], runtime: { threads: 1, ...sizes } },
    home,
  })

const many = async (runtime: Runtime, prompt: string, runs: number, atOnce: number): Promise<void> => {
  let left = runs
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await runtime.run(prompt).result
      if (status !== 'completed') throw new Error(`a run ended ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

const census = async () => {
  // What is about to end is not left: beats of agents that have gone, sockets that nobody keeps.
  await wait(600)
  return {
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    waiters: waiters(),
    timers: process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate/.test(name)),
    heapKb: await heapKb(),
  }
}

const WIDE: RunOptions = { maxConcurrentSubagents: 50, maxTotalSubagents: 50 }

const hosts: Record<string, () => Promise<unknown>> = {
  /** One run at a time: what is batched least. */
  async steps() {
    const runtime = await open()
    await many(runtime, 'lead', 3, 1)
    await wait(300)
    posted = 0
    received = 0
    const runs = 10
    await many(runtime, 'lead', runs, 1)
    const found = { posted, received, runs }
    await runtime.close()
    return found
  },

  async thousand() {
    const runtime = await open()
    // What is kept of ended runs is bounded; the bound is reached first.
    await many(runtime, 'brief', 1200, 20)
    const before = await census()
    await many(runtime, 'brief', 1000, 20)
    const after = await census()
    const still = words()
    await wait(600)
    const moved = words().filter((word, index) => word !== still[index]).length
    await runtime.close()
    return { before, after, moved }
  },

  /** From one crowd to a larger one: what the first has cost once is no part of it. */
  async live() {
    const runtime = await open({ agents_per_thread: 1200 })
    await many(runtime, 'lead', 20, 5)
    const runs: Run[] = []
    const residentAt = async (live: number): Promise<number> => {
      while (runs.length * 50 < live) runs.push(runtime.run('wide', WIDE))
      while (runtime.stats().tasks.running < live) await wait(20)
      await wait(1000)
      collectGarbage()
      return process.memoryUsage().rss
    }
    const few = await residentAt(400)
    const grown = (await residentAt(1200)) - few
    for (const run of runs) run.cancel()
    await runtime.close()
    return { kbEach: grown / 1024 / 800 }
  },
}

// Straight to the descriptor, and the end at once: nothing here is to depend on how a process winds down.
const found = await hosts[how]?.()
writeSync(1, `${JSON.stringify(found)}\n`)
