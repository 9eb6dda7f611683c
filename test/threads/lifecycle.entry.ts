import { execFileSync } from 'node:child_process'
import { readdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { MessagePort, type Worker } from 'node:worker_threads'
import type { Runtime } from '../../src/contract/api.ts'
import { createRuntime } from '../../src/index.ts'
import { fixtureTool, modelAt, wait } from '../support/runtime-scene.ts'

// A host of its own, for what can only be seen of a whole process. Says what it found as JSON on its last line.
const [, , how = '', url = '', home = ''] = process.argv

// Node opens these when they are first looked at, which the threads of any host do.
void process.stdout
void process.stderr

const workers: Worker[] = []
process.on('worker', (worker) => workers.push(worker))
let posted = 0
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...args: unknown[]) {
  posted++
  return postMessage.apply(this, args as never)
}

const open = (tools: readonly object[] = []): Promise<Runtime> =>
  createRuntime({
    config: { models: [modelAt(url)], tools, runtime: { threads: 2, tool_processes: 2 } },
    home: home || tmpdir(),
    hostTools: [{ name: 'onHost', invoke: async () => 'on the host' }],
  })

const listeners = (): Record<string, number> =>
  Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))

/** Ids of the processes that this one has started. */
const children = (): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .filter(([, , parent, args]) => Number(parent) === process.pid && !args?.startsWith('ps -A'))
    .map(([, pid]) => Number(pid))

const census = async () => {
  // What is about to be closed is not left.
  await wait(50)
  return {
    listeners: listeners(),
    children: children().length,
    files: readdirSync('/dev/fd').length,
    resources: process.getActiveResourcesInfo().sort(),
  }
}

/** Straight to the descriptor: what it says must not depend on anything that is looked at here. */
const tell = (found: unknown): void => void writeSync(1, `${JSON.stringify(found)}\n`)

/** What the process does in one second. */
const second = async () => {
  const awake = () => workers.map((worker) => worker.performance.eventLoopUtilization().active)
  const [before, cpu] = [awake(), process.cpuUsage()]
  posted = 0
  await wait(1000)
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, posted, active: awake().map((ms, i) => ms - (before[i] ?? 0)) }
}

const isCalm = ({ cpuMs, active }: Awaited<ReturnType<typeof second>>): boolean =>
  cpuMs < 5 && active.every((ms) => ms < 0.2)

const ALL = [fixtureTool('instant'), fixtureTool('prints'), fixtureTool('who', 'isolated')]

const hosts: Readonly<Record<string, () => Promise<void>>> = {
  async closes() {
    const before = await census()
    const runtime = await open(ALL)
    const during = await census()
    const { status } = await runtime.run('lead').result
    await runtime.close()
    tell({ status, before, during, after: await census() })
  },
  async drains() {
    const runtime = await open()
    const run = runtime.run('slow')
    await runtime.close({ drainMs: 30_000 })
    tell({ status: (await run.result).status })
  },
  async aborted() {
    const runtime = await open([fixtureTool('loops', 'isolated'), { ...fixtureTool('loops'), name: 'spins' }])
    const runs = [runtime.run('hang'), runtime.run('loops'), runtime.run('spins')]
    await wait(700)
    await runtime.close()
    const results = await Promise.all(runs.map(({ result }) => result))
    tell({ statuses: results.map(({ status }) => status), after: await census() })
  },
  async idles() {
    const runtime = await open(ALL)
    await runtime.run('lead').result
    // Warming up is work, but it is done once: what an idle runtime costs, it costs in every second.
    let found = await second()
    for (let i = 0; i < 12 && !isCalm(found); i++) found = await second()
    tell(found)
    await runtime.close()
  },
  async prints() {
    const runtime = await open([fixtureTool('prints'), fixtureTool('warns'), fixtureTool('strays')])
    const { text } = await runtime.run('prints').result
    await runtime.close()
    tell({ text })
  },
  async printsIsolated() {
    const runtime = await open([fixtureTool('prints', 'isolated'), fixtureTool('warns', 'isolated')])
    const { text } = await runtime.run('prints').result
    await runtime.close()
    tell({ text })
  },
  async forgets() {
    const runtime = await open(ALL)
    const { status } = await runtime.run('lead').result
    tell({ status, processes: children() })
  },
  async unread() {
    const runtime = await open()
    runtime.run('fails')
    runtime.run('hang').cancel()
    await wait(1000)
    await runtime.close()
    tell({ status: 'survived' })
  },
}

await hosts[how]?.()
