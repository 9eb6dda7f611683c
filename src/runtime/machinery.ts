import type { RuntimeOptions } from '../contract/api.ts'
import { SETTLE_MS } from '../contract/limits.ts'
import { allocateControl, type Control } from '../control/control.ts'
import { createCalls } from './calls.ts'
import type { Clock } from './clock.ts'
import { type CommandPlaces, createCommandPlaces } from './command-places.ts'
import { type Commands, createCommands } from './commands.ts'
import { openConversations } from './conversations/conversations.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createHostTools } from './host-tools.ts'
import { planTask } from './plan.ts'
import type { Prepared } from './prepare.ts'
import { createRuns, type Runs } from './runs.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import { createThreads, type Threads, threadPlaces } from './threads.ts'

/** The parts of a running runtime, put together. */
export interface Machinery {
  readonly control: Control
  readonly threads: Threads
  readonly commands: Commands
  readonly commandPlaces: CommandPlaces
  readonly supervisor: Supervisor
  readonly runs: Runs
}

export const startMachinery = (
  { hostTools = [], workerUrl = './worker.js', log = () => {} }: RuntimeOptions,
  { ground: { home, sizes, mark }, toolProcesses }: Prepared,
  clock: Clock,
): Machinery => {
  const { agentsPerThread, graceMs, wedgedMs } = sizes
  const control = allocateControl(threadPlaces(sizes.threads), slotCount(sizes.threads, agentsPerThread))
  const threads = createThreads({
    workerUrl: new URL(workerUrl, import.meta.url),
    count: sizes.threads,
    control,
    onMessage: (thread, message) => supervisor.receive(thread, message),
    onReady: () => supervisor.threadReady(),
    onGone: (thread) => supervisor.threadGone(thread),
    onBroken: (reason) => supervisor.broken(reason),
  })
  const calls = createCalls({ threads, toolProcesses, hostTools: createHostTools(hostTools, clock) })
  const watched = (thread: number, pid: number): void => threads.post(thread, { type: 'watched', pid })
  const commands = createCommands({ clock, log, graceMs, mark, watched })
  const commandPlaces = createCommandPlaces(sizes.commands)
  const supervisor = createSupervisor({
    control,
    clock,
    log,
    threads,
    perThread: agentsPerThread,
    settleMs: Math.min(SETTLE_MS, graceMs),
    ready: () => threads.usable().filter((thread) => !heartbeats.isQuiet(thread)),
    planTask,
    startCall: calls.start,
    abortCall: calls.abort,
    suspect: (thread) => heartbeats.suspect(thread),
    commands,
    commandPlaces,
  })
  const heartbeats = createHeartbeats({
    control,
    clock,
    wedgedMs,
    busy: supervisor.busy,
    onWedged: (thread) => supervisor.giveUp(thread, `The agent thread gave no sign of life for ${wedgedMs} ms.`),
    onBack: supervisor.threadReady,
  })
  const conversations = openConversations(home, clock)
  const onBusy = (busy: boolean): void => (busy ? heartbeats.start() : heartbeats.stop())
  const runs = createRuns({ clock, conversations, supervisor, onBusy })
  return { control, threads, commands, commandPlaces, supervisor, runs }
}

/** A lead and a subagent for every place, and as many again for agents that a retired thread still holds. */
const slotCount = (threads: number, perThread: number): number => threads * perThread * 4
