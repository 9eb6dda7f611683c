import type { Message, Reasoning } from '../contract/messages.ts'
import type { ModelSettings } from '../contract/settings.ts'
import type { ModelFailure, ModelReply, ModelRequest } from './port.ts'

/** Models that turned out to refuse what they themselves had sent. Settings live as long as a config revision. */
const refusing = new WeakSet<ModelSettings>()

/**
 * What of a reply's reasoning goes back with the calls it led to. `auto` takes the name `reasoning_content` for a sign
 * that the provider wants it: those that demand it use that name.
 */
export const reasoningToKeep = ({ reasoningReplay }: ModelSettings, reply: ModelReply): Reasoning | null => {
  const { reasoning, toolCalls } = reply
  if (reasoning === null || toolCalls.length === 0 || reasoningReplay === false) return null
  return reasoningReplay === true || reasoning.field === 'reasoning_content' ? reasoning : null
}

export const replaysReasoning = (model: ModelSettings): boolean =>
  model.reasoningReplay !== false && !refusing.has(model)

const hasReasoning = (message: Message): boolean => message.role === 'assistant' && message.reasoning !== undefined

/** Whether a request was refused for the reasoning in it, so that it may go well without. Remembers it of the model. */
export const dropReasoning = (
  model: ModelSettings,
  { messages }: ModelRequest,
  { status, message }: ModelFailure,
): boolean => {
  const isRefusal = (status === 400 || status === 422) && /reasoning/i.test(message)
  if (!isRefusal || model.reasoningReplay !== 'auto' || refusing.has(model) || !messages.some(hasReasoning))
    return false
  refusing.add(model)
  return true
}
