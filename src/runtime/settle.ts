import type { EndReport } from '../contract/envelopes.ts'
import type { TerminalStatus } from '../contract/status.ts'
import { answerLead } from './answer-lead.ts'
import { noteEnd } from './note-delegation.ts'
import { endOpenCalls } from './open-calls.ts'
import { runResultOf, taskOutcomeOf } from './outcome.ts'
import { reportEnd } from './report.ts'
import { stopTasks } from './stop.ts'
import { type Supervision, threadOf } from './supervision.ts'
import { type Assignment, isLead, type RunState } from './tracked.ts'

/**
 * The host's side of the one terminal swap. If the agent was first, its report lies in the port already, since it was
 * posted before the swap.
 */
export const settle = (s: Supervision, assignment: Assignment, status: TerminalStatus): void => {
  const { ref } = assignment
  if (!ref || assignment.status !== null) return
  if (s.control.settle(ref, status)) {
    decide(assignment, status)
    return
  }
  s.threads.drain(threadOf(assignment))
  if (assignment.report !== null) return
  assignment.fault = { code: 'INTERNAL', message: 'The agent ended without a report.' }
  decide(assignment, 'failed')
}

/**
 * The agent's side, as its report arrives. Its swap may be a moment behind its report; swapping on its behalf is the
 * same swap, so whoever comes first, the end is this one. If the host was first, the report is too late.
 */
export const acceptReport = (s: Supervision, assignment: Assignment, report: EndReport): void => {
  if (assignment.ref && assignment.status === null) {
    s.control.settle(assignment.ref, report.status)
    assignment.report = report
    decide(assignment, report.status)
  }
  letGo(s, assignment)
}

const decide = (assignment: Assignment, status: TerminalStatus): void => {
  assignment.status = status
  assignment.actor.send({ type: 'SETTLED', status })
}

/** All that follows from an agent's end, once its machine has reached it. */
export const wentToEnd = (s: Supervision, assignment: Assignment, status: TerminalStatus): void => {
  const { run, ref, thread, calls } = assignment
  assignment.status ??= status
  assignment.cancelDeadline()
  assignment.cancelGrace()
  if (ref) assignment.progress.counted = s.control.counters(ref)
  for (const key of calls) s.abortCall(key)
  calls.clear()
  s.commandPlaces.end(assignment)
  s.commands.end(assignment)
  if (thread === null) withdraw(s, assignment)
  else s.admission.leave(assignment, thread)
  if (isLead(assignment)) leadEnded(s, run, assignment)
  else taskEnded(s, run, assignment)
  finishRun(s, run)
  freeSlot(s, assignment)
  s.admission.pump()
}

const withdraw = ({ waiting, admission }: Supervision, assignment: Assignment): void => {
  waiting.delete(assignment)
  admission.withdraw(assignment)
}

const taskEnded = (s: Supervision, run: RunState, task: Assignment): void => {
  run.live--
  const outcome = { ...taskOutcomeOf(task), ...(task.startedAt === null && { neverStarted: true as const }) }
  reportEnd(task)
  noteEnd(task, outcome)
  answerLead(s, run, task.taskId ?? '', outcome)
}

/** Whatever a lead leaves behind is stopped, and nothing more of its run may start. */
const leadEnded = (s: Supervision, run: RunState, lead: Assignment): void => {
  if (run.live === 0) return
  if (lead.ref) s.control.ask(lead.ref, 'cancel')
  stopTasks(run, 'The lead ended')
}

const finishRun = (s: Supervision, run: RunState): void => {
  const { lead } = run
  if (run.result || !lead || lead.status === null || run.live > 0) return
  endOpenCalls(run, lead)
  const result = runResultOf(run, lead)
  run.result = result
  freeSlot(s, lead)
  // Only then: who has the result and is killed finds all of the run in its conversation.
  run.conversation.end(result.status, () => {
    run.log.append('run_finished', { result })
    run.log.close()
    run.finish(result)
  })
}

/** The agent's thread will not touch its slot again. A retired thread ends with the last that lets go of it. */
export const letGo = (s: Supervision, assignment: Assignment): void => {
  if (!assignment.held) return
  assignment.held = false
  const thread = threadOf(assignment)
  const rest = s.held.get(thread)
  rest?.delete(assignment)
  freeSlot(s, assignment)
  if (rest?.size !== 0) return
  s.held.delete(thread)
  if (!s.threads.isUsable(thread)) s.threads.kill(thread)
}

/** The lead's slot is the gate of its run, so it outlives the lead until the run is over. */
const freeSlot = (s: Supervision, assignment: Assignment): void => {
  const { ref, held, status, run } = assignment
  if (!ref || held || status === null || (isLead(assignment) && !run.result)) return
  if (s.bySlot.get(ref.slot) !== assignment) return
  s.bySlot.delete(ref.slot)
  s.control.release(ref)
  s.slots.give(ref.slot)
}
