import { NO_USAGE } from '../contract/messages.ts'
import type { View } from '../policy/message-view.ts'
import { type Agent, tellEvent } from './agent.ts'

/** Tells a finished message: of the lead as it is, of a subagent as its progress. */
export const tellMessage = (agent: Agent, { message, truncated }: View, progress: string): void => {
  const { envelope, usage, answeredBy } = agent
  const says = message.type === 'ai' && message.content.trim() !== ''
  const cut = truncated && { truncated }
  if (envelope.taskId === null) {
    tellEvent(agent, 'message', { message, ...cut }, says)
    return
  }
  const fields = {
    task_id: envelope.taskId,
    message,
    message_index: ++agent.told,
    progress,
    usage: usage ?? NO_USAGE,
    model_name: answeredBy,
    ...cut,
  }
  tellEvent(agent, 'task_running', fields, says)
}
