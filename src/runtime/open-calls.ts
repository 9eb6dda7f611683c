import type { EventFields } from '../contract/events.ts'
import { EVENT_TEXT_MAX } from '../contract/limits.ts'
import { head } from '../policy/bound.ts'
import { taskMessage } from '../policy/delegation-result.ts'
import { taskOutcomeOf } from './outcome.ts'
import type { Assignment, RunState } from './tracked.ts'

type Started = Pick<EventFields['tool_started'], 'tool_call_id' | 'name'>

const INTERRUPTED = 'Error: The call was interrupted: its run has ended'

/** Calls whose start stands in the log without an end, in the order of their starts. */
const openCallsOf = ({ log }: RunState): readonly Started[] => {
  const open = new Map<string, Started>()
  const cursor = { next: 1, wake: () => {} }
  for (let event = log.read(cursor); event; event = log.read(cursor)) {
    if (event.type === 'tool_started') open.set(event.tool_call_id, event)
    else if (event.type === 'tool_finished') open.delete(event.tool_call_id)
  }
  return [...open.values()]
}

/** Ends, among the events, the calls of a lead that was stopped before they were answered: each start has its end. */
export const endOpenCalls = (run: RunState, { progress }: Assignment): void => {
  if (progress.openCalls === 0) return
  for (const { tool_call_id, name } of openCallsOf(run)) {
    const { status, content } = endOf(run.tasks.get(tool_call_id))
    const end = { tool_call_id, name, status, content: head(content, EVENT_TEXT_MAX) }
    run.log.append('tool_finished', content.length > EVENT_TEXT_MAX ? { ...end, truncated: true } : end)
  }
}

/** What a delegation came to is known, though its lead was not there to hear it. */
const endOf = (task: Assignment | undefined): Pick<EventFields['tool_finished'], 'status' | 'content'> => {
  if (!task) return { status: 'error', content: INTERRUPTED }
  const outcome = taskOutcomeOf(task)
  return { status: outcome.status === 'completed' ? 'success' : 'error', content: taskMessage(outcome) }
}
