import type { HostMessage, PoolTask } from '../contract/envelopes.ts'
import { messageOf } from '../contract/errors.ts'
import { HEARTBEAT_MS } from '../contract/limits.ts'
import { openControl } from '../control/control.ts'
import { createModels } from '../models/models.ts'

import { startAgent } from './agents.ts'
import { createOutbox } from './outbox.ts'
import { prewarm } from './prewarm.ts'
import { silence } from './quiet.ts'
import { createReplies, delegationKey } from './replies.ts'
import { watchStops } from './stop.ts'
import type { Thread } from './thread.ts'
import { createToolbox } from './toolbox.ts'
import { yieldToHost } from './yield-to-host.ts'

let thread: Thread | undefined
let beating: NodeJS.Timeout | undefined

const open = ({ thread: index, slab, port }: Extract<PoolTask, { type: 'open' }>): void => {
  const post: Thread['post'] = (message) => port.postMessage(message)
  const control = openControl(slab)
  const opened: Thread = {
    index,
    control,
    outbox: createOutbox(post),
    stream: createModels(control),
    delegations: createReplies(),
    calls: createReplies(),
    watched: createReplies(),
    places: createReplies(),
    residents: new Set(),
    toolboxes: new Map(),
    post,
  }
  thread = opened
  yieldToHost()
  silence((text) => post({ type: 'said', text }))
  process.on('unhandledRejection', (reason) => post({ type: 'stray', reason: messageOf(reason) }))
  process.on('uncaughtException', (error) => post({ type: 'retire', reason: messageOf(error) }))
  port.on('message', (messages: readonly HostMessage[]) => {
    for (const message of messages) receive(opened, message)
  })
  void watchStops(opened)
}

const receive = ({ delegations, calls, watched, places, toolboxes }: Thread, message: HostMessage): void => {
  switch (message.type) {
    case 'delegated':
      delegations.arrived(delegationKey(message.slot, message.generation, message.callId), message.outcome)
      break
    case 'called':
      calls.arrived(message.callKey, message.outcome)
      break
    case 'watched':
      watched.arrived(message.pid)
      break
    case 'forget':
      toolboxes.delete(message.revision)
      break
    case 'place':
      places.arrived(message.key, message.has)
      break
    case 'prewarm':
      prewarm()
      break
  }
}

/** Beats only while there are agents, so that an idle runtime costs nothing. */
const keepBeating = ({ control, index, residents }: Thread): void => {
  if (beating) return
  control.beat(index)
  beating = setInterval(() => {
    control.beat(index)
    if (residents.size > 0) return
    clearInterval(beating)
    beating = undefined
  }, HEARTBEAT_MS)
}

/** One task of the thread pool: opens the thread, or runs a batch of agents until the last has let go. */
export default async function run(task: PoolTask): Promise<void> {
  if (task.type === 'open') return open(task)
  const opened = thread
  if (!opened) throw new Error('agents came before the thread was opened')
  for (const settings of task.settings) opened.toolboxes.set(settings.revision, createToolbox(settings))
  keepBeating(opened)
  await new Promise<void>((resolve) => {
    let left = task.agents.length
    const letGo = (): void => {
      if (--left === 0) resolve()
    }
    for (const envelope of task.agents) startAgent(opened, envelope, letGo)
  })
}
