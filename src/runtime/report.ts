import type { AgentItem } from '../contract/envelopes.ts'
import { PARTIAL_TEXT_MAX } from '../contract/limits.ts'
import { NO_USAGE } from '../contract/messages.ts'
import { head, isBlank } from '../policy/bound.ts'
import { type Assignment, isLead } from './assignment.ts'
import { outcomeOf, partialOf } from './outcome.ts'
import { emit } from './run-state.ts'

/** What an agent did, as events of its run and as the progress the host keeps of it. */
export const reportItem = (assignment: Assignment, item: AgentItem): void => {
  const { run, taskId } = assignment
  switch (item.kind) {
    case 'delta': {
      const { messageId: message_id, text } = item
      if (taskId === null) emit(run, 'message_delta', { text, message_id })
      else emit(run, 'task_delta', { task_id: taskId, text, message_id })
      break
    }
    case 'message':
      reportMessage(assignment, item)
      break
    case 'tool_started':
      emit(run, 'tool_started', { tool_call_id: item.callId, name: item.name, args: item.args, ...cut(item.truncated) })
      break
    case 'tool_finished': {
      const { callId: tool_call_id, name, status, content } = item
      emit(run, 'tool_finished', { tool_call_id, name, status, content, ...cut(item.truncated) })
      break
    }
    case 'files':
      for (const file of item.files) assignment.progress.files.add(file)
      break
    case 'state':
      emit(run, 'state', { agent: taskId ?? 'lead', value: item.value })
      break
    case 'warning':
      emit(run, 'warning', { code: item.code, message: item.message, ...(taskId !== null && { task_id: taskId }) })
      break
    default:
      break
  }
}

const cut = (truncated: boolean): { truncated?: true } => (truncated ? { truncated } : {})

const reportMessage = (assignment: Assignment, item: Extract<AgentItem, { kind: 'message' }>): void => {
  const { run, taskId, progress, modelName: model_name } = assignment
  const { message, usage } = item
  if (message.type === 'ai' && !isBlank(message.content)) progress.text = head(message.content, PARTIAL_TEXT_MAX)
  if (usage) progress.usage = usage
  if (taskId === null) {
    emit(run, 'message', { message, ...cut(item.truncated) })
    return
  }
  emit(run, 'task_running', {
    task_id: taskId,
    message,
    message_index: ++progress.messages,
    progress: item.progress,
    usage: progress.usage ?? NO_USAGE,
    model_name,
    ...cut(item.truncated),
  })
}

export const reportQueued = (assignment: Assignment, position: number): void => {
  const { run, taskId, description, subagentType: subagent_type } = assignment
  if (taskId !== null) emit(run, 'task_queued', { task_id: taskId, description, subagent_type, position })
}

export const reportStart = (assignment: Assignment): void => {
  const { run, taskId, description, subagentType: subagent_type, modelName: model_name, limits } = assignment
  if (taskId !== null) emit(run, 'task_started', { task_id: taskId, description, subagent_type, model_name, limits })
}

/** The one terminal event of a task. */
export const reportEnd = (assignment: Assignment): void => {
  if (isLead(assignment)) return
  const { run, modelName: model_name } = assignment
  const task_id = assignment.taskId ?? ''
  const outcome = outcomeOf(assignment)
  const { status, stopReason: stop_reason, artifacts, usage } = outcome
  const end = { task_id, stop_reason, artifacts, usage, model_name }
  if (status === 'completed' || status === 'needs_input') {
    emit(run, 'task_completed', { ...end, result: outcome.text })
    return
  }
  emit(run, `task_${status}`, { ...end, error: outcome.error?.message ?? '', partial: partialOf(outcome) })
}
