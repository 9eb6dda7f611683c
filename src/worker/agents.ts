import { createActor } from 'xstate'
import { type AgentOutput, agentMachine } from '../../machines/agent.machine.ts'
import type { AgentEnvelope } from '../contract/envelopes.ts'
import { messageOf } from '../contract/errors.ts'
import type { TerminalStatus } from '../contract/status.ts'
import { isBlank } from '../policy/bound.ts'
import type { Cap } from '../policy/cap.ts'
import { act } from './act.ts'
import { type Agent, itemOf, NOTHING_IN_FLIGHT, tellEvent, tellWarning } from './agent.ts'
import { closeCommands } from './command-owner.ts'
import { compact } from './compact.ts'
import { record, recordText } from './record.ts'
import { stopIfAsked } from './stop.ts'
import { think } from './think.ts'
import type { Thread } from './thread.ts'
import { openTranscript, remember, sha256 } from './transcript.ts'
import { createWatch } from './watch.ts'
import { wrapUp } from './wrap-up.ts'

/** Agents by the key their machine carries. */
const agents = new Map<number, Agent>()
let lastKey = 0

const effect =
  (run: (agent: Agent, step: number, cap: Cap | null) => void) =>
  ({ context }: { context: { readonly agent: number; readonly step: number; readonly cap: Cap | null } }): void => {
    const agent = agents.get(context.agent)
    if (agent) run(agent, context.step, context.cap)
  }

// Once per thread: providing per agent would cost more than the agent's whole life in the machine.
const machine = agentMachine.provide({
  actions: {
    think: effect(think),
    act: effect(act),
    compact: effect(compact),
    wrapUp: effect(wrapUp),
    record: effect(record),
    recordText: effect(recordText),
  },
})

/** Starts an agent. `letGo` is called once its end is on its way to the host; whatever goes wrong, it ends. */
export const startAgent = (thread: Thread, envelope: AgentEnvelope, letGo: () => void): void => {
  try {
    start(thread, envelope, letGo)
  } catch (thrown) {
    const error = { code: 'INTERNAL', message: messageOf(thrown) } as const
    const report = {
      status: 'failed',
      stopReason: null,
      error,
      text: '',
      usage: null,
      turns: 0,
      files: [],
      modelName: envelope.model,
      resultSha256: '',
    } as const
    const { slot, generation } = envelope
    const item = { kind: 'end', slot, generation, time: Date.now(), report } as const
    thread.outbox.end(item, () => void thread.control.settle(envelope, 'failed'))
    letGo()
  }
}

const start = (thread: Thread, arrived: AgentEnvelope, letGo: () => void): void => {
  const toolbox = thread.toolboxes.get(arrived.settings)
  if (!toolbox) throw new Error(`settings ${arrived.settings} never reached this thread`)
  const { envelope, tools } = toolbox.member(arrived)
  const { transcript, callIds, messages, summary, ledger, madeUp, unreadable } = openTranscript(envelope)
  const key = ++lastKey
  const { maxTurns, guards } = envelope
  const actor = createActor(machine, { input: { agent: key, maxTurns, wrapUp: guards.wrapUp } })
  const agent: Agent = {
    thread,
    envelope,
    toolbox,
    tools,
    view: null,
    actor,
    transcript,
    callIds,
    messages,
    summary,
    ledger,
    files: new Set(),
    watch: createWatch(),
    response: null,
    note: null,
    usage: null,
    answeredBy: envelope.model,
    turns: 0,
    told: 0,
    delegations: 0,
    lastText: '',
    writing: '',
    abort: NOTHING_IN_FLIGHT,
    ended: false,
    stopIfAsked: () => void stopIfAsked(agent),
  }
  agents.set(key, agent)
  thread.residents.add(agent)
  for (const message of madeUp) remember(agent, { message })
  if (unreadable > 0) tellWarning(agent, 'thread', `Damaged lines of the conversation were left out: ${unreadable}`)
  const end = (output: AgentOutput): void => {
    agents.delete(key)
    finish(agent, output)
    letGo()
  }
  actor.subscribe({
    ...(envelope.states && {
      next: ({ value }) => tellEvent(agent, 'state', { agent: envelope.taskId ?? 'lead', value }),
    }),
    complete: () => end(actor.getSnapshot().output as AgentOutput),
    error: (thrown) =>
      end({ status: 'failed', stopReason: null, error: { code: 'INTERNAL', message: messageOf(thrown) } }),
  })
  actor.start()
}

/** Whether the last text is a result. A question is one too. */
const hasResult = (status: TerminalStatus): boolean => status === 'completed' || status === 'needs_input'

/** What it has said: the last text that was whole, else what had come of the first when it was stopped. */
const leftOf = ({ lastText, writing }: Agent): string => (lastText === '' && !isBlank(writing) ? writing : lastText)

/** Posts how the agent ended, then swaps its status word. Late outcomes of what it still had in flight change nothing. */
const finish = (agent: Agent, { status, stopReason, error }: AgentOutput): void => {
  const { thread, envelope } = agent
  agent.ended = true
  agent.abort()
  agent.abort = NOTHING_IN_FLIGHT
  closeCommands(agent)
  thread.residents.delete(agent)
  const report = {
    status,
    stopReason,
    error,
    text: leftOf(agent),
    usage: agent.usage,
    turns: agent.turns,
    files: [...agent.files],
    modelName: agent.answeredBy,
    resultSha256: envelope.role === 'subagent' && hasResult(status) ? sha256(agent.lastText) : '',
  }
  thread.outbox.end(itemOf(agent, { kind: 'end', report }), () => void thread.control.settle(envelope, status))
}
