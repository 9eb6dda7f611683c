import { NOTHING_RECALLED } from '../../src/contract/conversation.ts'
import type { AgentItem, AgentRef, EndReport, HostMessage } from '../../src/contract/envelopes.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import type { TerminalStatus } from '../../src/contract/status.ts'
import type { Control } from '../../src/control/control.ts'
import { createEventLog } from '../../src/runtime/event-log.ts'
import { createSupervisor, type Supervisor } from '../../src/runtime/supervisor.ts'
import type { Threads } from '../../src/runtime/threads.ts'
import type { Plan, RunState } from '../../src/runtime/tracked.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { type MemoryConversation, memoryConversation } from './memory-conversation.ts'

export const LEAD_THREAD = 0
export const TASK_THREAD = 1

/** Milliseconds that a task may take, and that an agent has to end itself once it was asked to. */
export const TIMEOUT_MS = 10_000
export const SETTLE_MS = 500

/** A run with a lead on one thread and, once it was delegated, a task on another. */
export interface SupervisedRun {
  readonly run: RunState
  readonly conversation: MemoryConversation
  readonly lead: AgentRef
  delegate(): AgentRef
  events(): readonly RunEvent[]
}

/** A real supervisor over threads that do nothing: the test plays the agents, and the clock is the test's. */
export interface Supervised {
  readonly supervisor: Supervisor
  readonly clock: FakeClock
  /** What the host sent to agents. */
  readonly told: readonly HostMessage[]
  begin(leadTimeoutMs?: number): SupervisedRun
}

export const reportOf = (status: TerminalStatus, text: string): EndReport => ({
  status,
  stopReason: null,
  text,
  error: null,
  usage: null,
  turns: 1,
  files: [],
  modelName: 'main',
  resultSha256: '',
})

export const endOf = ({ slot, generation }: AgentRef, report: EndReport): AgentItem => ({
  kind: 'end',
  slot,
  generation,
  time: 0,
  report,
})

export const planOf = (taskId: string | null, timeoutMs: number): Plan => ({
  taskId,
  subagentType: taskId === null ? 'lead' : 'general-purpose',
  description: '',
  modelName: 'main',
  limits: { max_turns: 5, timeout_seconds: timeoutMs / 1000, token_budget: null },
  envelope: {
    role: taskId === null ? 'lead' : 'subagent',
    runId: 'r',
    threadId: 't',
    taskId,
    agent: 'x',
    settings: 1,
    model: 'main',
    system: '',
    prompt: '',
    tools: [],
    maxTurns: 5,
    guards: { wrapUp: true, loop: null, budget: null, compaction: null },
    traceparent: '',
    deltas: false,
    states: false,
    delegation: null,
  },
})

const runOf = (clock: FakeClock, conversation: MemoryConversation): RunState => ({
  id: 'r',
  threadId: 't',
  startedAt: clock.now(),
  log: createEventLog('r', 't', clock.now),
  conversation,
  recalled: NOTHING_RECALLED,
  // Only handed on to threads, which here do not look.
  settings: {} as RunState['settings'],
  traceId: '',
  traceparent: '',
  deltas: false,
  states: false,
  lead: null,
  stop: null,
  tasks: new Map(),
  live: 0,
  result: null,
  finish: () => {},
})

const placeOf = (ref: AgentRef | null | undefined): AgentRef => {
  if (!ref) throw new Error('the agent has no place')
  return ref
}

/** `drain` delivers what lies in the port of a thread, as the real threads do. */
export const supervise = (control: Control, drain: (thread: number) => unknown): Supervised => {
  const clock = createFakeClock()
  const told: HostMessage[] = []
  let ready = LEAD_THREAD
  const nothing = (): void => {}
  const threads: Threads = {
    run: nothing,
    post: (_, message) => void told.push(message),
    forget: nothing,
    prewarm: nothing,
    drain: (thread) => void drain(thread),
    retire: nothing,
    kill: nothing,
    isUsable: () => true,
    usable: () => [LEAD_THREAD, TASK_THREAD],
    stats: () => ({ alive: 2, replaced: 0 }),
    close: async () => {},
  }
  const supervisor = createSupervisor({
    control,
    clock: { ...clock, every: () => nothing },
    log: nothing,
    perThread: 1000,
    settleMs: SETTLE_MS,
    threads,
    ready: () => [ready],
    planTask: (_, ask) => planOf(ask.callId, TIMEOUT_MS),
    startCall: nothing,
    abortCall: nothing,
    suspect: nothing,
    commands: { receive: nothing, end: nothing },
  })

  const begin = (leadTimeoutMs = TIMEOUT_MS * 100): SupervisedRun => {
    const conversation = memoryConversation()
    const run = runOf(clock, conversation)
    ready = LEAD_THREAD
    supervisor.start(run, planOf(null, leadTimeoutMs))
    ready = TASK_THREAD
    const lead = placeOf(run.lead?.ref)
    const ask = { callId: 'c1', description: '', prompt: '', subagentType: '', maxTurns: null }
    return {
      run,
      conversation,
      lead,
      delegate() {
        supervisor.receive(LEAD_THREAD, { type: 'items', items: [{ ...lead, kind: 'delegate', time: 0, ask }] })
        return placeOf(run.tasks.get('c1')?.ref)
      },
      events() {
        const cursor = { next: 1, wake: nothing }
        const events: RunEvent[] = []
        for (let event = run.log.read(cursor); event; event = run.log.read(cursor)) events.push(event)
        return events
      },
    }
  }
  return { supervisor, clock, told, begin }
}
