import type { ErrorData } from '../contract/errors.ts'
import type { ToolMessage } from '../contract/messages.ts'
import type { ModelReply } from '../models/port.ts'
import { type Cap, NOT_RUN, wrapUpNote } from '../policy/cap.ts'
import { progressOfTool, viewTool } from '../policy/message-view.ts'
import { refusesToolHistory } from '../policy/provider-words.ts'
import { shortfallOf } from '../policy/shortfall.ts'
import type { Agent } from './agent.ts'
import { showCounters } from './spend.ts'
import { tellMessage } from './tell-message.ts'
import { callModel, type ToolOffer } from './think.ts'
import { addMessage } from './transcript.ts'

/** One last call without tools. What was still to run is answered first, so that no call stays open on the wire. */
export const wrapUp = (agent: Agent, step: number, cap: Cap | null): void => {
  answerOpenCalls(agent)
  // In place of all that waits to be told: the rest would only ask for more work.
  const note = cap && wrapUpNote(cap)
  const fail = (error: ErrorData): void => agent.actor.send({ type: 'MODEL_FAILED', step, error })
  const ask = (offer: ToolOffer, failed: (error: ErrorData) => void): void => {
    agent.note = note
    callModel(agent, offer, (reply, id) => settle(agent, step, reply, id), failed)
  }
  ask({ tools: [] }, (error) => {
    if (refusesToolHistory(error.message)) ask({ tools: agent.tools, toolChoice: 'none' }, fail)
    else fail(error)
  })
}

const answerOpenCalls = (agent: Agent): void => {
  const last = agent.transcript.at(-1)
  for (const { id: toolCallId, name } of last?.role === 'assistant' ? last.toolCalls : []) {
    const id = `m${++agent.messages}`
    const answer: ToolMessage = { role: 'tool', id, toolCallId, name, content: NOT_RUN, status: 'error' }
    addMessage(agent, answer)
    tellMessage(agent, viewTool(answer), progressOfTool(answer))
  }
}

/** A call that is made all the same is not run and not kept, and one that is written as text is no answer. */
const settle = (agent: Agent, step: number, { text, finishReason }: ModelReply, id: string): void => {
  if (shortfallOf(text, finishReason, agent.tools) === null) agent.lastText = text
  agent.response = { role: 'assistant', id, content: text, toolCalls: [] }
  showCounters(agent)
  agent.actor.send({ type: 'WRAPPED_UP', step, hasText: agent.lastText !== '' })
}
