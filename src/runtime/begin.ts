import { NOTHING_RECALLED } from '../contract/conversation.ts'
import type { AgentEnvelope, DelegationAsk } from '../contract/envelopes.ts'
import { neverStarted } from '../policy/delegation-result.ts'
import { answerLead } from './answer-lead.ts'
import { noteBegin } from './note-delegation.ts'
import { reportQueued, reportStart } from './report.ts'
import { stop, stopRun } from './stop.ts'
import type { Supervision } from './supervision.ts'
import { track } from './track.ts'
import { type Assignment, isLead, type Plan, type RunState } from './tracked.ts'

/** Starts the lead of a run, or lets it wait. One whose run was stopped while it opened is over with this. */
export const beginLead = (s: Supervision, run: RunState, plan: Plan): void => {
  const lead = track(run, plan, s.clock.now(), s.effects)
  run.lead = lead
  if (run.stop) stopRun(run, run.stop.cause, run.stop.reason)
  else place(s, lead)
}

/** Starts what a lead's `task` call asks for. The gate is looked at once more: a cancel may have come meanwhile. */
export const delegate = (s: Supervision, lead: Assignment, ask: DelegationAsk): void => {
  const { run } = lead
  if (!lead.ref || s.control.closed(lead.ref)) return
  const plan = s.planTask(run, ask)
  if ('error' in plan) {
    answerLead(s, run, ask.callId, neverStarted(plan.error))
    return
  }
  const task = track(run, plan, s.clock.now(), s.effects)
  noteBegin(task)
  run.tasks.set(ask.callId, task)
  run.live++
  place(s, task)
}

const place = (s: Supervision, assignment: Assignment): void => {
  s.waiting.add(assignment)
  const position = s.admission.ask(assignment)
  if (position > 0) reportQueued(assignment, position)
}

/** Gives an agent its place: a slot in shared memory, a thread, and a clock. */
export const admit = (s: Supervision, assignment: Assignment, thread: number): void => {
  const slot = s.slots.take() ?? 0
  s.waiting.delete(assignment)
  assignment.ref = s.control.occupy(slot)
  assignment.thread = thread
  assignment.held = true
  s.bySlot.set(slot, assignment)
  s.held.set(thread, (s.held.get(thread) ?? new Set()).add(assignment))
  startClock(s, assignment)
  assignment.actor.send({ type: 'ADMITTED' })
}

/** The agent's own clock. Waiting in the queue is not part of it. */
const startClock = (s: Supervision, assignment: Assignment): void => {
  assignment.startedAt = s.clock.now()
  assignment.cancelDeadline = s.clock.after(assignment.limits.timeout_seconds * 1000, () => {
    if (isLead(assignment)) stopRun(assignment.run, 'deadline', null)
    else stop(assignment, 'deadline', null)
  })
  reportStart(assignment)
}

/** Hands a batch to its thread. One that was ended while it waited for this is not handed over any more. */
export const handOver = (s: Supervision, thread: number, batch: readonly Assignment[]): readonly Assignment[] => {
  const live = batch.filter(({ status }) => status === null)
  if (live.length > 0) {
    const settings = live.map(({ run }) => run.settings.thread)
    s.threads.run(thread, live.map(envelopeOf), settings)
    for (const { run } of live.filter(isLead)) run.recalled = NOTHING_RECALLED
  }
  for (const { actor } of live) actor.send({ type: 'STARTED' })
  return batch.filter(({ status }) => status !== null)
}

const envelopeOf = (assignment: Assignment): AgentEnvelope => {
  const { envelope, ref, run, startedAt, limits } = assignment
  const own = ref ?? { slot: -1, generation: -1 }
  const deadlineAt = (startedAt ?? 0) + limits.timeout_seconds * 1000
  const conversation = isLead(assignment) ? run.recalled : null
  return { gate: run.lead?.ref ?? own, deadlineAt, conversation, ...own, ...envelope }
}
