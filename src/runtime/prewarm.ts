import type { Run } from '../contract/api.ts'
import { NOTHING_RECALLED } from '../contract/conversation.ts'
import type { AgentEnvelope, AgentItem, EndReport } from '../contract/envelopes.ts'
import { allocateControl } from '../control/control.ts'
import { systemClock } from './clock.ts'
import { type Conversations, noConversation } from './conversations/conversations.ts'
import { fixedSettings } from './live-settings.ts'
import { planTask } from './plan.ts'
import { createRuns } from './runs.ts'
import type { RunSettings } from './settings.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import type { Threads } from './threads.ts'

/** Runs it takes until the host's own code is about as fast as it gets. Each is a millisecond or less, in a turn of its own. */
const RUNS = 60

const SAID = JSON.stringify({ message: { id: 'm1', type: 'ai', content: 'warm' } })

const REPORT: EndReport = {
  status: 'completed',
  stopReason: null,
  text: 'warm',
  error: null,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  turns: 1,
  files: [],
  modelName: '',
  resultSha256: '',
}

const ASK = { description: 'warm', prompt: 'warm', subagentType: 'general-purpose', maxTurns: null }
const CALL_IDS = ['done', 'done too', 'cancelled']

/** What the agent that is not there would have told: a lead delegates, and of its subagents all but one end. */
const itemsOf = ({ slot, generation, taskId }: AgentEnvelope): readonly AgentItem[] => {
  const own = { slot, generation, time: 0 }
  if (taskId === null) return CALL_IDS.map((callId) => ({ ...own, kind: 'delegate', ask: { ...ASK, callId } }))
  const said: AgentItem = { ...own, kind: 'event', type: 'task_running', fields: SAID, says: true }
  return taskId === 'cancelled' ? [said] : [said, { ...own, kind: 'end', report: REPORT }]
}

/** Threads on which every agent has said all it will by the next turn of the loop. */
const noThreads = (supervisor: () => Supervisor): Threads => ({
  run(thread, agents) {
    setImmediate(() => supervisor().receive(thread, { type: 'items', items: agents.flatMap(itemsOf) }))
  },
  post: () => {},
  forget: () => {},
  prewarm: () => {},
  drain: () => {},
  retire: () => {},
  kill: () => {},
  isUsable: () => true,
  usable: () => [0],
  stats: () => ({ alive: 1, replaced: 0 }),
  close: async () => {},
})

const noConversations: Conversations = {
  open: async () => ({ conversation: noConversation, recalled: NOTHING_RECALLED, interrupted: null }),
}

/**
 * Takes a few runs through the host's own code, with agents that are not there, and cancels them. Cold, that code costs
 * several times as much, and the first to pay would be the embedder's own event loop.
 */
export const prewarmHost = async (settings: RunSettings): Promise<void> => {
  const control = allocateControl(1, 2 * (CALL_IDS.length + 1))
  const threads = noThreads(() => supervisor)
  const supervisor = createSupervisor({
    control,
    clock: systemClock,
    log: () => {},
    perThread: CALL_IDS.length,
    settleMs: 0,
    threads,
    ready: threads.usable,
    planTask,
    startCall: () => {},
    abortCall: () => {},
    suspect: () => {},
    commands: { receive: () => {}, end: () => {} },
  })
  const runs = createRuns({ clock: systemClock, conversations: noConversations, supervisor, onBusy: () => {} })
  const live = fixedSettings(settings)
  for (let run = 0; run < RUNS; run++) await warmRun(runs.start('warm', {}, live))
}

const warmRun = async (run: Run): Promise<void> => {
  for (const _turn of CALL_IDS) await nextTurn()
  run.cancel()
  await run.result
  await nextTurn()
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
