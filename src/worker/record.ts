import type { AssistantMessage } from '../contract/messages.ts'
import { isBlank } from '../policy/bound.ts'
import { progressOfAnswer, viewAssistant } from '../policy/message-view.ts'
import type { Agent } from './agent.ts'
import { tellMessage } from './tell-message.ts'
import { addMessage } from './transcript.ts'

/** Puts the response where transcript and events have it. */
export const record = (agent: Agent): void => {
  const { response } = agent
  agent.response = null
  if (response) put(agent, response)
}

/** Puts its text there alone: no call may enter the transcript that nothing will answer. */
export const recordText = (agent: Agent): void => {
  const { response } = agent
  agent.response = null
  if (response && !isBlank(response.content)) put(agent, { ...response, toolCalls: [] })
}

const put = (agent: Agent, message: AssistantMessage): void => {
  addMessage(agent, message)
  tellMessage(agent, viewAssistant(message), progressOfAnswer(message))
}
