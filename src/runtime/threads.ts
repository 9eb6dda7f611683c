import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { AgentEnvelope, HostMessage, PoolTask, ThreadMessage } from '../contract/envelopes.ts'
import { messageOf } from '../contract/errors.ts'
import type { ThreadSettings } from '../contract/settings.ts'
import type { Control } from '../control/control.ts'

export interface ThreadsOptions {
  readonly workerUrl: URL
  readonly count: number
  readonly control: Control
  onMessage(thread: number, message: ThreadMessage): void
  /** A thread can take agents. */
  onReady(thread: number): void
  /** A thread is gone, all it had posted has been delivered. */
  onGone(thread: number): void
  /** No thread is left and none will come. */
  onBroken(reason: string): void
}

/** The agent threads: a Piscina pool in which we, not Piscina, choose the thread of every batch. */
export interface Threads {
  /** Hands one batch to a thread, with those of its settings that the thread has not seen. */
  run(thread: number, agents: readonly AgentEnvelope[], settings: readonly ThreadSettings[]): void
  post(thread: number, message: HostMessage): void
  /** Warms the threads up, while there is nothing else for them to do. */
  prewarm(): void
  /** Delivers at once what the thread has posted so far. */
  drain(thread: number): void
  /** The thread takes no new agents; a replacement starts at once. It is ended by `kill` when its last agent is gone. */
  retire(thread: number): void
  kill(thread: number): void
  isUsable(thread: number): boolean
  usable(): readonly number[]
  stats(): { readonly alive: number; readonly replaced: number }
  close(): Promise<void>
}

interface AgentThread {
  readonly index: number
  readonly id: number
  readonly worker: Worker
  readonly port: MessagePort
  readonly seen: Set<number>
  outgoing: HostMessage[]
  retired: boolean
}

/** Places in shared memory for threads: the pool's own and those that finish their last agents after being retired. */
export const threadPlaces = (count: number): number => count * 2 + 2

export const createThreads = ({ workerUrl, count, control, ...on }: ThreadsOptions): Threads => {
  const threads = new Map<number, AgentThread>()
  const free = Array.from({ length: control.threads }, (_, index) => index).reverse()
  let target = 0
  let replaced = 0
  let closing = false

  const pool = new Piscina({
    filename: workerUrl.href,
    minThreads: count,
    maxThreads: control.threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    // The default parks the event loop of an idle worker, and with it every socket and timer of its agents.
    atomics: 'disabled',
    env: {},
    execArgv: [],
    // Called synchronously from `pool.run`, so `target` is the thread that run was meant for.
    loadBalancer: (_task, workers) => workers.find(({ id }) => id === target) ?? null,
  })
  pool.on('workerCreate', ({ id }: { id: number }) => open(id))
  pool.on('error', (error) => {
    if (threads.size === 0 && !closing) on.onBroken(messageOf(error))
  })

  const runOn = (id: number, task: PoolTask, transferList: MessagePort[] = []): Promise<unknown> => {
    target = id
    return pool.run(task, { transferList })
  }

  const open = (id: number): void => {
    const worker = pool.threads.find(({ threadId }) => threadId === id)
    const index = free.pop()
    if (!worker || index === undefined) return
    const { port1, port2 } = new MessageChannel()
    const thread: AgentThread = { index, id, worker, port: port1, seen: new Set(), outgoing: [], retired: false }
    threads.set(index, thread)
    port1.on('message', (message: ThreadMessage) => on.onMessage(index, message))
    port1.unref()
    worker.once('exit', () => gone(thread))
    runOn(id, { type: 'open', thread: index, slab: control.slab, port: port2 }, [port2]).catch(() => {})
    on.onReady(index)
  }

  const drain = (thread: AgentThread): void => {
    for (let entry = receiveMessageOnPort(thread.port); entry; entry = receiveMessageOnPort(thread.port)) {
      on.onMessage(thread.index, entry.message as ThreadMessage)
    }
  }

  // What a thread posted before it died has always arrived by now.
  const gone = (thread: AgentThread): void => {
    drain(thread)
    thread.port.close()
    threads.delete(thread.index)
    if (!closing && !thread.retired) replaced++
    on.onGone(thread.index)
    free.push(thread.index)
  }

  /** A task that no thread may take makes the pool add one; withdrawn at once, it leaves nothing behind but the thread. */
  const addThread = (): void => {
    const withdraw = new AbortController()
    target = -1
    pool.run(null, { signal: withdraw.signal }).catch(() => {})
    withdraw.abort()
  }

  const usable = (): readonly number[] => [...threads.values()].filter(({ retired }) => !retired).map(({ index }) => index)

  const post = (thread: AgentThread, message: HostMessage): void => {
    if (thread.outgoing.push(message) > 1) return
    queueMicrotask(() => {
      const batch = thread.outgoing
      thread.outgoing = []
      thread.port.postMessage(batch)
    })
  }

  return {
    run(index, agents, settings) {
      const thread = threads.get(index)
      if (!thread) return
      const unseen = settings.filter(({ revision }) => {
        const isNew = !thread.seen.has(revision)
        thread.seen.add(revision)
        return isNew
      })
      // A rejection means that the thread is gone, which `exit` reports.
      runOn(thread.id, { type: 'agents', agents, settings: unseen }).catch(() => {})
    },
    post(index, message) {
      const thread = threads.get(index)
      if (thread) post(thread, message)
    },
    prewarm() {
      for (const thread of threads.values()) post(thread, { type: 'prewarm' })
    },
    drain(index) {
      const thread = threads.get(index)
      if (thread) drain(thread)
    },
    retire(index) {
      const thread = threads.get(index)
      if (!thread || thread.retired) return
      thread.retired = true
      replaced++
      addThread()
    },
    kill: (index) => void threads.get(index)?.worker.terminate(),
    isUsable: (index) => threads.get(index)?.retired === false,
    usable,
    stats: () => ({ alive: usable().length, replaced }),
    async close() {
      closing = true
      await pool.destroy()
    },
  }
}
