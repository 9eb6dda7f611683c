import type { ThreadMessage } from '../contract/envelopes.ts'
import type { StopCause } from '../contract/status.ts'
import { createAdmission } from './admission.ts'
import { admit, beginLead, handOver } from './begin.ts'
import { createDispatch } from './dispatch.ts'
import { receive } from './receive.ts'
import { letGo, settle, wentToEnd } from './settle.ts'
import { createSlots } from './slots.ts'
import { askToStop, stop, stopRun } from './stop.ts'
import { type Supervision, type SupervisorOptions, threadOf } from './supervision.ts'
import { type Assignment, isLead, type Plan, type RunState } from './tracked.ts'

/** Takes every agent from the ask to its one end. */
export interface Supervisor {
  start(run: RunState, plan: Plan): void
  stopRun(run: RunState, cause: StopCause, reason: string | null): void
  stopTask(run: RunState, taskId: string, reason: string | null): void
  receive(thread: number, message: ThreadMessage): void
  threadReady(): void
  threadGone(thread: number): void
  /** Ends the agents of a thread that no longer answers, and the thread. */
  giveUp(thread: number, reason: string): void
  /** Ends what waits for a thread: none is left and none will come. */
  broken(reason: string): void
  /** Threads that hold agents. */
  busy(): readonly number[]
}

export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const slots = createSlots(options.control.slots)
  const s: Supervision = {
    ...options,
    slots,
    admission: createAdmission({
      perThread: options.perThread,
      threads: options.ready,
      hasSlot: () => slots.free() > 0,
      admit: (assignment, thread) => admit(s, assignment, thread),
    }),
    dispatch: createDispatch((thread, batch) => {
      for (const ended of handOver(s, thread, batch)) letGo(s, ended)
    }),
    effects: {
      dispatch: (assignment) => s.dispatch.add(threadOf(assignment), assignment),
      askToStop: (assignment) => askToStop(s, assignment),
      force(assignment) {
        s.suspect(threadOf(assignment))
        settle(s, assignment, assignment.stop?.cause === 'deadline' ? 'timed_out' : 'cancelled')
      },
      declareLost: (assignment) => settle(s, assignment, 'failed'),
      ended: (assignment, status) => wentToEnd(s, assignment, status),
    },
    bySlot: new Map(),
    held: new Map(),
    waiting: new Set(),
  }

  return {
    start: (run, plan) => beginLead(s, run, plan),
    stopRun,
    stopTask(run, taskId, reason) {
      const task = run.tasks.get(taskId)
      if (task) stop(task, 'cancel', reason)
    },
    receive: (thread, message) => receive(s, thread, message),
    threadReady: s.admission.pump,
    threadGone(thread) {
      s.dispatch.forget(thread)
      const assignments = [...(s.held.get(thread) ?? [])]
      lose(assignments, 'The thread that ran the agent was lost.')
      for (const assignment of assignments) letGo(s, assignment)
      s.admission.pump()
    },
    giveUp(thread, reason) {
      lose(s.held.get(thread) ?? [], reason)
      s.threads.kill(thread)
    },
    broken: (reason) => lose(s.waiting, reason),
    busy: () => [...s.held.keys()],
  }
}

/** Subagents first: a lead that ends cancels what is left of its run, and these have been lost like it. */
const lose = (assignments: Iterable<Assignment>, message: string): void => {
  const all = [...assignments]
  for (const assignment of [...all.filter((each) => !isLead(each)), ...all.filter(isLead)]) {
    if (assignment.status !== null) continue
    assignment.fault = { code: 'THREAD_LOST', message }
    assignment.actor.send({ type: 'LOST' })
  }
}
