import type { ErrorData } from '../contract/errors.ts'
import type { AssistantMessage, ToolCall } from '../contract/messages.ts'
import { addUsage, NO_USAGE } from '../contract/messages.ts'
import type { ToolSpec } from '../contract/tools.ts'
import type { ModelReply } from '../models/port.ts'
import { isBlank } from '../policy/bound.ts'
import { uniqueCalls } from '../policy/call-ids.ts'
import { progressOfAnswer, viewAssistant } from '../policy/message-view.ts'
import type { Agent } from './agent.ts'
import { mayStillDelegate, trimTaskCalls } from './delegate.ts'
import { modelSink } from './model-sink.ts'
import { stopEvent } from './stop.ts'
import { tellMessage } from './tell-message.ts'

const WRAP_UP =
  'Your limit of turns is reached and no tool runs any more. Give your final answer now, from what you have found so far; say plainly what is left undone.'

/** Once the run's delegations are used up, `task` is no longer offered. Source: decision 7. */
const offeredTools = (agent: Agent): readonly ToolSpec[] =>
  agent.envelope.delegation && !mayStillDelegate(agent)
    ? agent.tools.filter(({ name }) => name !== 'task')
    : agent.tools

/** The next turn: one model call with every tool the agent may use. */
export const think = (agent: Agent, step: number): void => {
  callModel(agent, step, offeredTools(agent), (reply, messageId) => {
    agent.turns++
    const calls = keepAnswer(agent, reply, messageId, trimTaskCalls(agent, uniqueCalls(reply.toolCalls, agent.callIds)))
    if (reply.incomplete) {
      agent.actor.send({ type: 'MODEL_FAILED', step, error: reply.incomplete })
      return
    }
    const asksForTools = calls.length > 0 || reply.toolCalls.length > 0
    agent.actor.send({
      type: asksForTools ? 'CALLS' : 'ANSWERED',
      step,
      hasText: asksForTools ? agent.lastText !== '' : !isBlank(reply.text),
    })
  })
}

/** One last call without tools. What was still to run is answered first, so that no call stays open on the wire. */
export const wrapUp = (agent: Agent, step: number): void => {
  const last = agent.transcript.at(-1)
  for (const call of last?.role === 'assistant' ? last.toolCalls : []) {
    agent.transcript.push({
      role: 'tool',
      id: `m${++agent.messages}`,
      toolCallId: call.id,
      name: call.name,
      content: 'Not run: limit reached',
      status: 'error',
    })
  }
  agent.note = WRAP_UP
  callModel(agent, step, [], (reply, messageId) => {
    keepAnswer(agent, reply, messageId, [])
    agent.actor.send({ type: 'ANSWERED', step, hasText: agent.lastText !== '' })
  })
}

const callModel = (
  agent: Agent,
  step: number,
  tools: readonly ToolSpec[],
  answered: (reply: ModelReply, messageId: string) => void,
): void => {
  const { envelope, toolbox } = agent
  const fail = (error: ErrorData): void => agent.actor.send({ type: 'MODEL_FAILED', step, error })
  const model = toolbox.model(envelope.model)
  const stop = stopEvent(agent)
  if (stop) agent.actor.send({ type: stop })
  else if (!model) fail({ code: 'MODEL_FAILED', message: `Model ${envelope.model} not found in config` })
  if (stop || !model) return
  const { system, traceparent, deadlineAt } = envelope
  const { transcript: messages, note } = agent
  const fallbacks = toolbox.fallbacks(model)
  const call = { model, system, messages, note, tools, traceparent, fallbacks, deadlineAt }
  agent.note = null
  agent.abort = agent.thread.stream(call, modelSink(agent, answered, fail))
}

/** Puts the answer where transcript, counters and events have it. Returns its calls. */
const keepAnswer = (
  agent: Agent,
  reply: ModelReply,
  id: string,
  toolCalls: readonly ToolCall[],
): readonly ToolCall[] => {
  const { text: content, reasoning } = reply
  const message: AssistantMessage = { role: 'assistant', id, content, toolCalls, ...(reasoning && { reasoning }) }
  agent.transcript.push(message)
  if (!isBlank(reply.text)) agent.lastText = reply.text
  if (reply.usage) agent.usage = addUsage(agent.usage ?? NO_USAGE, reply.usage)
  const { input_tokens: inputTokens, output_tokens: outputTokens } = agent.usage ?? NO_USAGE
  agent.thread.control.count(agent.envelope, { turns: agent.turns, inputTokens, outputTokens })
  tellMessage(agent, viewAssistant(message), progressOfAnswer(message))
  return toolCalls
}
