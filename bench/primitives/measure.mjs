// What the design leans on, one operation at a time, in a process of its own.
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Bench } from 'tinybench'
import { createActor, setup } from 'xstate'
import { serve } from '../lib/ipc.mjs'

const FAR_SIDE = new URL('./worker.mjs', import.meta.url)
const BATCH = 64

const record = (bytes) => ({ type: 'task_running', task_id: 'call_1', message: 'x'.repeat(bytes) })
const flat = (bytes) =>
  Array.from({ length: bytes / 100 }, (_, i) => ({ role: 'tool', id: i, content: 'y'.repeat(60) }))

const machine = setup({ types: { events: {} } }).createMachine({
  initial: 'thinking',
  states: { thinking: { on: { replied: 'acting' } }, acting: { on: { acted: 'thinking' } } },
})

async function farSide() {
  const { port1: port, port2 } = new MessageChannel()
  const words = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(FAR_SIDE, { workerData: { port: port2, words }, transferList: [port2] })
  await once(worker, 'message')
  const echo = (message) => {
    port.postMessage(message)
    return once(port, 'message')
  }
  let asked = 0
  const wake = async () => {
    const answered = Atomics.waitAsync(words, 1, asked)
    Atomics.add(words, 0, 1)
    Atomics.notify(words, 0)
    if (answered.async) await answered.value
    asked++
  }
  return { worker, port, echo, wake }
}

/**
 * `per` operations go into one sample, so that the clock's own grain does not show. What waits says so: were it tried out
 * first to see, an answer nobody takes would lie in the port, and each later question would find the one before answered.
 */
function operations({ pool, port, echo, wake }) {
  const words = new Int32Array(new SharedArrayBuffer(8))
  const waits = (per, run) => ({ per, run, async: true })
  const many = (per, operation) => ({ per, run: () => repeat(per, operation), async: false })
  const event = record(200)
  const batch = Array.from({ length: BATCH }, () => event)
  const running = createActor(machine).start()
  let turn = 0
  const clone = (value) => many(10, () => structuredClone(value))
  return {
    'Piscina, round trip': waits(1, () => pool.run(1, { name: 'echo' })),
    'MessagePort, round trip': waits(1, () => echo(1)),
    'Atomics.waitAsync, round trip': waits(1, wake),
    'Atomics.load': many(1000, () => Atomics.load(words, 0)),
    'Atomics.compareExchange': many(1000, () => Atomics.compareExchange(words, 0, turn, ++turn)),
    'an event of 250 bytes posted alone': waits(BATCH, () => postAlone(port, batch)),
    [`an event of 250 bytes posted with ${BATCH - 1} others`]: waits(BATCH, () => echo(batch)),
    'structured clone, 1 KB': clone(flat(1000)),
    'structured clone, 10 KB': clone(flat(10_000)),
    'structured clone, 100 KB': clone(flat(100_000)),
    'structured clone, a string of 100 KB': clone('z'.repeat(100_000)),
    'XState actor, created, started and stopped': many(10, () => createActor(machine).start().stop()),
    'XState actor, one transition': many(100, () => running.send({ type: turn++ % 2 ? 'acted' : 'replied' })),
  }
}

const repeat = (times, operation) => {
  for (let i = 0; i < times; i++) operation()
}

async function postAlone(port, batch) {
  let left = batch.length
  await new Promise((resolve) => {
    const count = () => {
      if (--left > 0) return
      port.off('message', count)
      resolve()
    }
    port.on('message', count)
    for (const event of batch) port.postMessage(event)
  })
}

serve({
  /** Microseconds an operation, p50 of the samples. */
  async measure({ time }) {
    const pool = new Piscina({ filename: FAR_SIDE.href, minThreads: 1, maxThreads: 1, atomics: 'disabled' })
    const far = await farSide()
    const all = operations({ pool, ...far })
    const bench = new Bench({ time, warmupTime: time / 2 })
    for (const [name, { run, async }] of Object.entries(all)) bench.add(name, run, { async })
    await bench.run()
    await far.worker.terminate()
    await pool.destroy()
    return bench.tasks.map(({ name, result }) => {
      if (result.error) throw result.error
      return { name, us: (result.latency.p50 * 1000) / all[name].per }
    })
  },
})
