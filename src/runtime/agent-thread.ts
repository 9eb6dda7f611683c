import { MessageChannel, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import type { AgentEnvelope, HostMessage, PoolTask, ThreadMessage } from '../contract/envelopes.ts'
import type { ThreadSettings } from '../contract/settings.ts'
import { createInbox } from './inbox.ts'
import type { TurnBudget } from './turn-budget.ts'

/** One agent thread as the host speaks with it: tasks through the pool, everything else through a port of its own. */
export interface AgentThread {
  /** Its place in shared memory. */
  readonly index: number
  run(agents: readonly AgentEnvelope[], settings: readonly ThreadSettings[]): void
  /** What is posted in one tick goes out as one message. */
  post(message: HostMessage): void
  /** Lets go of a revision of the settings that no agent will name any more. */
  forget(revision: number): void
  /** Delivers at once what the thread has posted so far. */
  drain(): void
  /** It finishes what it has and takes nothing more. */
  retire(): void
  isRetired(): boolean
  kill(): void
  /** Whether it takes new agents. */
  isUsable(): boolean
}

export interface AgentThreadOptions {
  readonly index: number
  /** The pool's name for it. */
  readonly id: number
  readonly worker: Worker
  readonly slab: SharedArrayBuffer
  /** Shared by all threads. */
  readonly budget: TurnBudget
  runOn(id: number, task: PoolTask, options?: { transferList: MessagePort[] }): Promise<unknown>
  onMessage(thread: number, message: ThreadMessage): void
  /** It has exited, and all it had posted has been delivered. */
  onGone(): void
}

type MessagePort = InstanceType<typeof MessageChannel>['port1']

export const openThread = ({
  index,
  id,
  worker,
  slab,
  budget,
  runOn,
  onMessage,
  onGone,
}: AgentThreadOptions): AgentThread => {
  const { port1, port2 } = new MessageChannel()
  const seen = new Set<number>()
  let outgoing: HostMessage[] = []
  let state: 'usable' | 'retired' | 'dying' = 'usable'

  const inbox = createInbox((message) => onMessage(index, message), budget)

  const drain = (): void => {
    for (let entry = receiveMessageOnPort(port1); entry; entry = receiveMessageOnPort(port1)) inbox.add(entry.message)
    inbox.empty()
  }

  const send = (): void => {
    const batch = outgoing
    outgoing = []
    port1.postMessage(batch)
  }

  const isNew = ({ revision }: ThreadSettings): boolean => seen.size < seen.add(revision).size

  port1.on('message', inbox.add)
  port1.unref()
  worker.once('exit', () => {
    // What a thread posted before it died has always arrived by now.
    drain()
    port1.close()
    onGone()
  })
  // A task that is rejected says that the thread is gone, which `exit` says too.
  runOn(id, { type: 'open', thread: index, slab, port: port2 }, { transferList: [port2] }).catch(() => {})

  const post = (message: HostMessage): void => {
    if (outgoing.push(message) === 1) queueMicrotask(send)
  }

  return {
    index,
    run: (agents, settings) =>
      void runOn(id, { type: 'agents', agents, settings: settings.filter(isNew) }).catch(() => {}),
    post,
    forget(revision) {
      if (seen.delete(revision)) post({ type: 'forget', revision })
    },
    drain,
    retire() {
      state = 'retired'
    },
    isRetired: () => state === 'retired',
    kill() {
      state = 'dying'
      void worker.terminate()
    },
    isUsable: () => state === 'usable',
  }
}
