import type { AgentItem } from '../contract/envelopes.ts'
import { outcomeOf, partialOf } from './outcome.ts'
import { type Assignment, isLead } from './tracked.ts'

/** What an agent did, as events of its run and as the progress the host keeps of it. */
export const reportItem = (assignment: Assignment, item: AgentItem): void => {
  const { run, taskId, progress } = assignment
  switch (item.kind) {
    case 'delta': {
      const { messageId: message_id, text } = item
      if (taskId === null) run.log.append('message_delta', { text, message_id })
      else run.log.append('task_delta', { task_id: taskId, text, message_id })
      break
    }
    case 'event':
      if (item.says) progress.said = item.fields
      if (item.type === 'tool_started') progress.openCalls++
      else if (item.type === 'tool_finished') progress.openCalls--
      run.log.appendText(item.type, item.fields)
      break
    case 'files':
      for (const file of item.files) progress.files.add(file)
      break
    default:
      break
  }
}

export const reportQueued = (assignment: Assignment, position: number): void => {
  const { run, taskId, description, subagentType: subagent_type } = assignment
  if (taskId !== null) run.log.append('task_queued', { task_id: taskId, description, subagent_type, position })
}

export const reportStart = (assignment: Assignment): void => {
  const { run, taskId, description, subagentType: subagent_type, modelName: model_name, limits } = assignment
  if (taskId !== null)
    run.log.append('task_started', { task_id: taskId, description, subagent_type, model_name, limits })
}

/** The one terminal event of a task. */
export const reportEnd = (assignment: Assignment): void => {
  if (isLead(assignment)) return
  const { run } = assignment
  const task_id = assignment.taskId ?? ''
  const outcome = outcomeOf(assignment)
  const { status, stopReason: stop_reason, artifacts, usage, modelName: model_name } = outcome
  const end = { task_id, stop_reason, artifacts, usage, model_name }
  if (status === 'completed' || status === 'needs_input') {
    run.log.append('task_completed', { result: outcome.text, ...end })
    return
  }
  run.log.append(`task_${status}`, { error: outcome.error?.message ?? '', partial: partialOf(outcome), ...end })
}
