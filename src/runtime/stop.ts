import type { StopCause } from '../contract/status.ts'
import { type Supervision, threadOf } from './supervision.ts'
import type { Assignment, RunState } from './tracked.ts'

/** Asks one agent to stop; the first cause stands. One that had no place yet is over with this. */
export const stop = (assignment: Assignment, cause: StopCause, reason: string | null): void => {
  if (assignment.status !== null || assignment.stop) return
  assignment.stop = { cause, reason }
  assignment.actor.send({ type: 'STOP', cause })
}

export const stopTasks = (run: RunState, reason: string | null): void => {
  for (const task of run.tasks.values()) stop(task, 'cancel', reason)
}

/** The lead first: its stop word is the gate, so nothing starts behind our back while the others are told. */
export const stopRun = (run: RunState, cause: StopCause, reason: string | null): void => {
  if (run.lead) stop(run.lead, cause, reason)
  else run.stop ??= { cause, reason }
  stopTasks(run, cause === 'deadline' ? 'The run timed out' : reason)
}

/** Puts the cause where the agent looks, wakes its thread, and gives it the grace time to end itself. */
export const askToStop = (s: Supervision, assignment: Assignment): void => {
  const { ref, stop: asked, actor } = assignment
  if (ref && asked) s.control.ask(ref, asked.cause)
  // At once and not at the end of the tick: the thread ends the first while the host still tells the others.
  s.control.wake(threadOf(assignment))
  assignment.cancelGrace = s.clock.after(s.settleMs, () => actor.send({ type: 'GRACE_OVER' }))
}
