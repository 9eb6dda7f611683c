import type { ErrorData } from '../contract/errors.ts'
import type { ModelSettings } from '../contract/settings.ts'
import { head } from '../policy/bound.ts'
import { type Fault, lasting, modelFailed, passing } from './failure.ts'
import { type Ending, endingOf } from './finish-reason.ts'
import type { ModelReply } from './port.ts'
import { reasoningToKeep } from './reasoning.ts'

/**
 * A reply as the agent may act on it, whichever client read it: what is no whole answer says why, and what was blocked runs
 * no tool. A fault is the provider's own: no reply at all.
 */
export const finishReply = (model: ModelSettings, reply: ModelReply): ModelReply | Fault => {
  const ending = reply.refusal === '' ? endingOf(reply.finishReason) : 'refusal'
  if (ending === 'fault') return passing(`the provider broke off the answer (finish_reason ${reply.finishReason})`)
  const isStopped = ending === 'filter' || ending === 'refusal'
  const toolCalls = isStopped ? [] : reply.toolCalls
  const { id, text, finishReason, refusal, usage } = reply
  return {
    id,
    text,
    toolCalls,
    finishReason,
    refusal,
    reasoning: reasoningToKeep(model, reply),
    usage,
    incomplete: toolCalls.length > 0 ? null : incompleteOf(model, ending, reply),
  }
}

const incompleteOf = (model: ModelSettings, ending: Ending, reply: ModelReply): ErrorData | null => {
  if (ending === 'whole') return null
  const { code, message } = modelFailed(model, lasting(wordsOf(ending, reply)))
  return { code, message }
}

const REFUSAL_MAX = 500

const wordsOf = (ending: Ending, { finishReason, refusal, text }: ModelReply): string => {
  const reason = `(finish_reason ${finishReason})`
  if (ending === 'filter') return `the provider's content filter blocked the answer ${reason}`
  if (ending === 'refusal') return `the model refused to answer${refusal && `: ${head(refusal, REFUSAL_MAX)}`}`
  return text.trim() === ''
    ? `the model reached its output limit before it had said anything ${reason}`
    : `the answer was cut off at the model's output limit ${reason}`
}
