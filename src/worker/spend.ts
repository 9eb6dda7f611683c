import type { AssistantMessage, Usage } from '../contract/messages.ts'
import { addUsage, NO_USAGE } from '../contract/messages.ts'
import type { ModelReply, ModelRequest } from '../models/port.ts'
import { createMeasure, estimateUsage } from '../policy/usage-estimate.ts'
import type { Agent } from './agent.ts'

/** Characters of the transcript. */
export const transcriptChars = (agent: Agent): number => {
  agent.watch.measure ??= createMeasure()
  return agent.watch.measure.charsOf(agent.transcript)
}

/** Adds what a call cost, once for each call: as the provider counted it, else by its length. */
export const countCall = (agent: Agent, request: Sent, messageChars: () => number, reply: ModelReply): void => {
  agent.usage = addUsage(agent.usage ?? NO_USAGE, reply.usage ?? estimated(request, messageChars(), reply))
}

type Sent = Pick<ModelRequest, 'system' | 'data' | 'note' | 'tools'>

const estimated = ({ system, data, note, tools }: Sent, chars: number, { text, toolCalls }: ModelReply): Usage => {
  const beside = (data?.length ?? 0) + (note?.length ?? 0)
  const answer: AssistantMessage = { role: 'assistant', id: '', content: text, toolCalls }
  return estimateUsage({ system, chars: chars + beside, tools }, answer)
}

/** Shows what the agent has used up where `stats()` reads it. */
export const showCounters = ({ thread, envelope, usage, turns }: Agent): void => {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage ?? NO_USAGE
  thread.control.count(envelope, { turns, inputTokens, outputTokens })
}
