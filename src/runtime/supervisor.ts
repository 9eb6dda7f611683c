import type { Log } from '../contract/api.ts'
import type { AgentItem, DelegationAsk, EndReport, RemoteCall, TaskOutcome, ThreadMessage } from '../contract/envelopes.ts'
import type { StopCause, TerminalStatus } from '../contract/status.ts'
import type { Control } from '../control/control.ts'
import { createAdmission } from './admission.ts'
import { type Assignment, isLead } from './assignment.ts'
import { type AssignmentPlan, createAssignment, type Effects } from './assignments.ts'
import { callKey } from './call-key.ts'
import type { Clock } from './clock.ts'
import { createDispatch } from './dispatch.ts'
import { runResultOf, taskOutcomeOf } from './outcome.ts'
import { reportEnd, reportItem, reportQueued, reportStart } from './report.ts'
import { emit, type RunState } from './run-state.ts'
import { createSlots } from './slots.ts'
import type { Threads } from './threads.ts'

export interface SupervisorOptions {
  readonly control: Control
  readonly clock: Clock
  readonly log: Log
  readonly perThread: number
  /** Milliseconds an agent has to end itself once it was asked to. */
  readonly settleMs: number
  readonly threads: Threads
  /** Threads that take new agents now. */
  ready(): readonly number[]
  /** What a delegation will be, or why it may not start. */
  planTask(run: RunState, ask: DelegationAsk): AssignmentPlan | { readonly error: string }
  startCall(thread: number, assignment: Assignment, call: RemoteCall): void
  abortCall(key: string): void
}

/** Takes every agent from the ask to its one end. */
export interface Supervisor {
  start(run: RunState, plan: AssignmentPlan): void
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
  queued(): number
}

export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { control, clock, threads } = options
  const slots = createSlots(control.slots)
  const bySlot = new Map<number, Assignment>()
  const held = new Map<number, Set<Assignment>>()
  const toWake = new Set<number>()
  const waiting = new Set<Assignment>()

  const dispatch = createDispatch((thread, batch) => {
    const live = batch.filter(({ status }) => status === null)
    for (const assignment of batch) if (assignment.status !== null) letGo(assignment)
    if (live.length === 0) return
    threads.run(
      thread,
      live.map(envelopeOf),
      live.map(({ run }) => run.settings.thread),
    )
    for (const { actor } of live) actor.send({ type: 'STARTED' })
  })

  const admission = createAdmission({
    perThread: options.perThread,
    threads: options.ready,
    hasSlot: () => slots.free() > 0,
    admit(assignment, thread) {
      const slot = slots.take() ?? 0
      waiting.delete(assignment)
      assignment.ref = control.occupy(slot)
      assignment.thread = thread
      assignment.held = true
      bySlot.set(slot, assignment)
      held.set(thread, (held.get(thread) ?? new Set()).add(assignment))
      startClock(assignment)
      assignment.actor.send({ type: 'ADMITTED' })
    },
  })

  const effects: Effects = {
    dispatch: (assignment) => dispatch.add(threadOf(assignment), assignment),
    askToStop(assignment) {
      if (assignment.ref && assignment.stop) control.ask(assignment.ref, assignment.stop.cause)
      wakeSoon(threadOf(assignment))
      assignment.cancelGrace = clock.after(options.settleMs, () => assignment.actor.send({ type: 'GRACE_OVER' }))
    },
    force: (assignment) => settle(assignment, assignment.stop?.cause === 'deadline' ? 'timed_out' : 'cancelled'),
    declareLost: (assignment) => settle(assignment, 'failed'),
  }

  /** The agent's own clock. Waiting in the queue is not part of it. */
  const startClock = (assignment: Assignment): void => {
    assignment.startedAt = clock.now()
    assignment.cancelDeadline = clock.after(assignment.limits.timeout_seconds * 1000, () => {
      if (isLead(assignment)) stopRun(assignment.run, 'deadline', null)
      else stop(assignment, 'deadline', null)
    })
    reportStart(assignment)
  }

  const wakeSoon = (thread: number): void => {
    if (toWake.size === 0) {
      queueMicrotask(() => {
        for (const each of toWake) control.wake(each)
        toWake.clear()
      })
    }
    toWake.add(thread)
  }

  const stop = (assignment: Assignment, cause: StopCause, reason: string | null): void => {
    if (assignment.status !== null || assignment.stop) return
    assignment.stop = { cause, reason }
    assignment.actor.send({ type: 'STOP', cause })
    if (assignment.ref) return
    admission.withdraw(assignment)
    finish(assignment, 'cancelled')
  }

  const stopTasks = (run: RunState, reason: string | null): void => {
    for (const task of run.tasks.values()) stop(task, 'cancel', reason)
  }

  /** The lead first: its stop word is the gate, so nothing starts behind our back while the others are told. */
  const stopRun = (run: RunState, cause: StopCause, reason: string | null): void => {
    if (run.lead) stop(run.lead, cause, reason)
    stopTasks(run, cause === 'deadline' ? 'The run timed out' : reason)
  }

  /**
   * The host's side of the one terminal swap. If the agent was first, its report lies in the port already, since it was
   * posted before the swap.
   */
  const settle = (assignment: Assignment, status: TerminalStatus): void => {
    const { ref } = assignment
    if (!ref || assignment.status !== null) return
    if (control.settle(ref, status)) return finish(assignment, status)
    threads.drain(threadOf(assignment))
    if (assignment.status !== null) return
    assignment.fault = { code: 'INTERNAL', message: 'The agent ended without a report.' }
    finish(assignment, 'failed')
  }

  /**
   * The agent's side, as its report arrives. Its swap may be a moment behind its report; swapping on its behalf is the
   * same swap, so whoever comes first, the end is this one.
   */
  const ended = (assignment: Assignment, report: EndReport): void => {
    if (assignment.ref && assignment.status === null) {
      control.settle(assignment.ref, report.status)
      assignment.report = report
      finish(assignment, report.status)
    }
    letGo(assignment)
  }

  const finish = (assignment: Assignment, status: TerminalStatus): void => {
    const { run, thread } = assignment
    assignment.status = status
    if (assignment.ref) assignment.progress.counted = control.counters(assignment.ref)
    assignment.cancelDeadline()
    assignment.cancelGrace()
    assignment.actor.send({ type: 'SETTLED', status })
    waiting.delete(assignment)
    for (const key of assignment.calls) options.abortCall(key)
    assignment.calls.clear()
    if (thread !== null) admission.leave(assignment, thread)
    if (isLead(assignment)) leadEnded(run, assignment)
    else taskEnded(run, assignment)
    finishRun(run)
    freeSlot(assignment)
    admission.pump()
  }

  const taskEnded = (run: RunState, task: Assignment): void => {
    run.live--
    reportEnd(task)
    answerLead(run, task.taskId ?? '', taskOutcomeOf(task))
  }

  const leadEnded = (run: RunState, lead: Assignment): void => {
    if (run.live === 0) return
    if (lead.ref) control.ask(lead.ref, 'cancel')
    stopTasks(run, 'The lead ended')
  }

  const answerLead = ({ lead }: RunState, callId: string, outcome: TaskOutcome): void => {
    if (!lead?.ref || lead.status !== null) return
    threads.post(threadOf(lead), { type: 'delegated', ...lead.ref, callId, outcome })
  }

  const finishRun = (run: RunState): void => {
    const { lead } = run
    if (run.result || !lead || lead.status === null || run.live > 0) return
    run.result = runResultOf(run, lead)
    emit(run, 'run_finished', { result: run.result })
    run.log.close()
    run.finish(run.result)
    freeSlot(lead)
  }

  const letGo = (assignment: Assignment): void => {
    if (!assignment.held) return
    assignment.held = false
    const thread = threadOf(assignment)
    const rest = held.get(thread)
    rest?.delete(assignment)
    freeSlot(assignment)
    if (rest?.size !== 0) return
    held.delete(thread)
    if (!threads.isUsable(thread)) threads.kill(thread)
  }

  /** The lead's slot is the gate of its run, so it outlives the lead until the run is over. */
  const freeSlot = (assignment: Assignment): void => {
    const { ref, held: stillHeld, status, run } = assignment
    if (!ref || stillHeld || status === null || (isLead(assignment) && !run.result)) return
    if (bySlot.get(ref.slot) !== assignment) return
    bySlot.delete(ref.slot)
    control.release(ref)
    slots.give(ref.slot)
  }

  const delegate = (lead: Assignment, ask: DelegationAsk): void => {
    const { run } = lead
    if (!lead.ref || control.closed(lead.ref)) return
    const plan = options.planTask(run, ask)
    if ('error' in plan) return answerLead(run, ask.callId, refused(plan.error))
    const task = createAssignment(run, plan, clock.now(), effects)
    run.tasks.set(ask.callId, task)
    run.live++
    place(task)
  }

  const place = (assignment: Assignment): void => {
    waiting.add(assignment)
    const position = admission.ask(assignment)
    if (position > 0) reportQueued(assignment, position)
  }

  const receiveItem = (item: AgentItem): void => {
    const assignment = bySlot.get(item.slot)
    if (assignment?.ref?.generation !== item.generation) return
    if (item.kind === 'end') return ended(assignment, item.report)
    if (assignment.status !== null) return
    if (item.kind === 'delegate') return delegate(assignment, item.ask)
    reportItem(assignment, item)
  }

  const warnRuns = (thread: number, message: string): void => {
    options.log('warn', message, { thread })
    for (const run of new Set([...(held.get(thread) ?? [])].map((assignment) => assignment.run))) {
      if (!run.result) emit(run, 'warning', { code: 'thread', message })
    }
  }

  const lose = (assignments: Iterable<Assignment>, message: string): void => {
    for (const assignment of [...assignments]) {
      if (assignment.status !== null) continue
      assignment.fault = { code: 'THREAD_LOST', message }
      assignment.actor.send({ type: 'LOST' })
      if (!assignment.ref) finish(assignment, 'failed')
    }
  }

  return {
    start(run, plan) {
      run.lead = createAssignment(run, plan, clock.now(), effects)
      place(run.lead)
    },
    stopRun,
    stopTask(run, taskId, reason) {
      const task = run.tasks.get(taskId)
      if (task) stop(task, 'cancel', reason)
    },
    receive(thread, message) {
      switch (message.type) {
        case 'items':
          for (const item of message.items) receiveItem(item)
          break
        case 'call': {
          const assignment = bySlot.get(message.call.slot)
          if (assignment?.ref?.generation !== message.call.generation || assignment.status !== null) return
          options.startCall(thread, assignment, message.call)
          break
        }
        case 'abort_call':
          options.abortCall(callKey(thread, message.callKey))
          break
        case 'stray':
          warnRuns(thread, `A stray rejection on an agent thread: ${message.reason}`)
          break
        case 'retire':
          warnRuns(thread, `An agent thread is retired after an uncaught exception: ${message.reason}`)
          threads.retire(thread)
          if (!held.has(thread)) threads.kill(thread)
          break
        case 'said':
          options.log('debug', message.text, { thread })
          break
      }
    },
    threadReady: admission.pump,
    threadGone(thread) {
      dispatch.forget(thread)
      const assignments = [...(held.get(thread) ?? [])]
      lose(assignments, 'The thread that ran the agent was lost.')
      for (const assignment of assignments) letGo(assignment)
      admission.pump()
    },
    giveUp(thread, reason) {
      lose(held.get(thread) ?? [], reason)
      threads.kill(thread)
    },
    broken: (reason) => lose(waiting, reason),
    busy: () => [...held.keys()],
    queued: () => waiting.size,
  }
}

const threadOf = ({ thread }: Assignment): number => thread ?? -1

const envelopeOf = ({ envelope, ref, run }: Assignment) => {
  const own = ref ?? { slot: -1, generation: -1 }
  return { ...envelope, ...own, gate: run.lead?.ref ?? own }
}

const refused = (error: string): TaskOutcome => ({
  status: 'failed',
  stopReason: null,
  result: '',
  error,
  partialText: '',
  modelName: null,
  usage: null,
  resultSha256: '',
})
