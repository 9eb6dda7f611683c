import { Piscina } from 'piscina'
import type { AgentEnvelope, HostMessage, ThreadMessage } from '../contract/envelopes.ts'
import { messageOf } from '../contract/errors.ts'
import type { ThreadSettings } from '../contract/settings.ts'
import type { Control } from '../control/control.ts'
import { type AgentThread, openThread } from './agent-thread.ts'
import { createTurnBudget } from './turn-budget.ts'

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
  /** No agent will name this revision of the settings any more. */
  forget(revision: number): void
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

/** Retired threads that may finish their agents beside the pool's own. Past that the oldest is ended with what it holds. */
const RETIRED_MAX = 30

/** Places in shared memory for threads: the pool's own, those that are retired, and one that is on its way out. */
export const threadPlaces = (count: number): number => count + RETIRED_MAX + 2

/** Names no thread, so the pool has to add one. */
const NOBODY = -1

/**
 * Twice what V8 gives a thread to make new objects in. Hundreds of agents wait for answers at once, and each collection
 * has to copy what they hold: with fewer of them a turn costs an eighth less.
 */
const YOUNG_MB = 96

interface Pool {
  readonly piscina: Piscina
  /** Runs a task on the thread with this id. */
  runOn(id: number, task: unknown, options?: Parameters<Piscina['run']>[1]): Promise<unknown>
}

const createPool = (workerUrl: URL, min: number, max: number): Pool => {
  let target = NOBODY
  const piscina = new Piscina({
    filename: workerUrl.href,
    minThreads: min,
    maxThreads: max,
    idleTimeout: Number.POSITIVE_INFINITY,
    // The default parks the event loop of an idle worker, and with it every socket and timer of its agents.
    atomics: 'disabled',
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    // What a thread opened raw it also hands on, as the pipes of commands; closing those numbers again when it ends would
    // close what is whose by then, in the whole process.
    trackUnmanagedFds: false,
    // Called synchronously from `run`, so `target` is the thread that this run is meant for.
    loadBalancer: (_task, workers) => workers.find(({ id }) => id === target) ?? null,
  })
  return {
    piscina,
    runOn(id, task, options) {
      target = id
      return piscina.run(task, options)
    },
  }
}

/** A task that no thread may take makes the pool add one; withdrawn at once, it leaves nothing behind but the thread. */
const addThread = ({ runOn }: Pool): void => {
  const withdraw = new AbortController()
  runOn(NOBODY, null, { signal: withdraw.signal }).catch(() => {})
  withdraw.abort()
}

/** The threads that there are, and how their number is kept. */
interface Crew {
  readonly threads: ReadonlyMap<number, AgentThread>
  usable(): readonly number[]
  retire(thread: AgentThread): void
  kill(thread: AgentThread): void
  replaced(): number
  close(): Promise<void>
}

const createCrew = ({ workerUrl, count, control, ...on }: ThreadsOptions): Crew => {
  const threads = new Map<number, AgentThread>()
  const free = Array.from({ length: control.threads }, (_, index) => index).reverse()
  const pool = createPool(workerUrl, count, control.threads)
  const budget = createTurnBudget()
  let replaced = 0
  let closing = false

  const usable = (): AgentThread[] => [...threads.values()].filter(({ isUsable }) => isUsable())

  const open = (id: number): void => {
    const worker = pool.piscina.threads.find(({ threadId }) => threadId === id)
    const index = free.pop()
    if (!worker || index === undefined) return
    const { slab } = control
    const thread = openThread({ index, id, worker, slab, budget, runOn: pool.runOn, ...on, onGone: () => gone(thread) })
    threads.set(index, thread)
    on.onReady(index)
  }

  const gone = ({ index, isUsable }: AgentThread): void => {
    threads.delete(index)
    if (isUsable()) replaced++
    on.onGone(index)
    free.push(index)
    makeWhole()
  }

  /** The pool counts every thread it has, also those that take no agents any more; this counts those that do. */
  const makeWhole = (): void => {
    const opening = pool.piscina.threads.length - threads.size
    if (!closing && usable().length + opening < count) addThread(pool)
  }

  const leave = (thread: AgentThread, how: 'retire' | 'kill'): void => {
    if (thread.isUsable()) replaced++
    thread[how]()
    makeWhole()
  }

  // The pool says so just before the thread can be given a task.
  pool.piscina.on('workerCreate', ({ id }: { id: number }) => queueMicrotask(() => open(id)))
  pool.piscina.on('error', (error) => {
    if (threads.size === 0 && !closing) on.onBroken(messageOf(error))
  })

  return {
    threads,
    usable: () => usable().map(({ index }) => index),
    retire: (thread) => leave(thread, 'retire'),
    kill: (thread) => leave(thread, 'kill'),
    replaced: () => replaced,
    async close() {
      closing = true
      await pool.piscina.destroy()
    },
  }
}

export const createThreads = (options: ThreadsOptions): Threads => {
  const crew = createCrew(options)
  const { threads } = crew

  const retire = (thread: AgentThread): void => {
    const [oldest, ...others] = [...threads.values()].filter(({ isRetired }) => isRetired())
    if (oldest && others.length + 1 >= RETIRED_MAX) crew.kill(oldest)
    crew.retire(thread)
  }

  return {
    run: (index, agents, settings) => threads.get(index)?.run(agents, settings),
    post: (index, message) => threads.get(index)?.post(message),
    forget(revision) {
      for (const thread of threads.values()) thread.forget(revision)
    },
    prewarm() {
      for (const thread of threads.values()) thread.post({ type: 'prewarm' })
    },
    drain: (index) => threads.get(index)?.drain(),
    retire(index) {
      const thread = threads.get(index)
      if (thread?.isUsable()) retire(thread)
    },
    kill(index) {
      const thread = threads.get(index)
      if (thread) crew.kill(thread)
    },
    isUsable: (index) => threads.get(index)?.isUsable() === true,
    usable: crew.usable,
    stats: () => ({ alive: crew.usable().length, replaced: crew.replaced() }),
    close: crew.close,
  }
}
