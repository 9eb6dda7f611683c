import type { ErrorData } from '../contract/errors.ts'
import type { AssistantMessage, ToolCall } from '../contract/messages.ts'
import { addUsage, NO_USAGE } from '../contract/messages.ts'
import type { ToolSpec } from '../contract/tools.ts'
import type { ModelReply } from '../models/port.ts'
import { isBlank } from '../policy/bound.ts'
import { uniqueCalls } from '../policy/call-ids.ts'
import { durableContext } from '../policy/durable-context.ts'
import { progressOfAnswer, viewAssistant } from '../policy/message-view.ts'
import { type Agent, NOTHING_IN_FLIGHT } from './agent.ts'
import { mayStillDelegate, trimTaskCalls } from './delegate.ts'
import { stopEvent } from './stop.ts'
import { tellMessage } from './tell-message.ts'
import { addMessage, durableSections } from './transcript.ts'

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
    const asked = reply.toolCalls.length > 0
    agent.vain = asked && calls.length === 0 ? agent.vain + 1 : 0
    // A lead whose delegations are used up gets one more turn to put together what it has; then its word counts.
    const goesOn = calls.length > 0 || agent.vain === 1
    agent.actor.send({
      type: goesOn ? 'CALLS' : 'ANSWERED',
      step,
      hasText: asked ? agent.lastText !== '' : !isBlank(reply.text),
    })
  })
}

/** One last call without tools. What was still to run is answered first, so that no call stays open on the wire. */
export const wrapUp = (agent: Agent, step: number): void => {
  const last = agent.transcript.at(-1)
  for (const call of last?.role === 'assistant' ? last.toolCalls : []) {
    addMessage(agent, {
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
  const { thread, envelope, toolbox } = agent
  const fail = (error: ErrorData): void => agent.actor.send({ type: 'MODEL_FAILED', step, error })
  const model = toolbox.model(envelope.model)
  const stop = stopEvent(agent)
  if (stop) agent.actor.send({ type: stop })
  else if (!model) fail({ code: 'MODEL_FAILED', message: `Model ${envelope.model} not found in config` })
  if (stop || !model) return
  const { system, traceparent } = envelope
  const data = durableContext(durableSections(agent))
  const messageId = `m${++agent.messages}`
  const request = { model, system, data, messages: agent.transcript, note: agent.note, tools, traceparent }
  agent.note = null
  agent.abort = thread.stream(request, {
    text: (delta) => {
      if (envelope.deltas) thread.outbox.delta(envelope.slot, envelope.generation, messageId, delta)
    },
    done: (reply) => {
      agent.abort = NOTHING_IN_FLIGHT
      answered(reply, messageId)
    },
    failed: (error) => {
      agent.abort = NOTHING_IN_FLIGHT
      fail(error)
    },
  })
}

/** Puts the answer where transcript, counters and events have it. Returns its calls. */
const keepAnswer = (
  agent: Agent,
  reply: ModelReply,
  id: string,
  toolCalls: readonly ToolCall[],
): readonly ToolCall[] => {
  const message: AssistantMessage = { role: 'assistant', id, content: reply.text, toolCalls }
  addMessage(agent, message)
  if (!isBlank(reply.text)) agent.lastText = reply.text
  if (reply.usage) agent.usage = addUsage(agent.usage ?? NO_USAGE, reply.usage)
  const { input_tokens: inputTokens, output_tokens: outputTokens } = agent.usage ?? NO_USAGE
  agent.thread.control.count(agent.envelope, { turns: agent.turns, inputTokens, outputTokens })
  tellMessage(agent, viewAssistant(message), progressOfAnswer(message))
  return toolCalls
}
