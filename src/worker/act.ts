import type { ToolCall, ToolMessage } from '../contract/messages.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { questionResult } from '../policy/clarification.ts'
import { progressOfTool, viewArgs, viewTool } from '../policy/message-view.ts'
import { type Agent, NOTHING_IN_FLIGHT, tell, tellEvent } from './agent.ts'
import { keepOutput } from './keep-output.ts'
import { questionOf, whileAsking } from './question.ts'
import { startCall } from './start-call.ts'
import { stopEvent } from './stop.ts'
import { tellMessage } from './tell-message.ts'
import { remember } from './transcript.ts'

/**
 * Runs the calls of the last response at once and answers each, in their order; one that fails costs no other. A question
 * to the user comes before all others, and is the end of the agent.
 */
export const act = (agent: Agent, step: number): void => {
  const last = agent.transcript.at(-1)
  const calls = last?.role === 'assistant' ? last.toolCalls : []
  const stop = stopEvent(agent)
  if (stop || calls.length === 0) {
    agent.actor.send(stop ? { type: stop } : { type: 'TOOLS_DONE', step })
    return
  }

  const answers: ToolMessage[] = new Array(calls.length)
  const question = questionOf(agent, calls)
  let open = calls.length
  const aborts = calls.map((call, index) => {
    announce(agent, call)
    const done = keepOutput(agent, call.name, (outcome) => {
      if (agent.ended) return
      const answer = answerOf(agent, call, outcome)
      answers[index] = answer
      // At once, so that it is kept even if the others never come; the order is made good when it is read.
      remember(agent, { message: answer })
      report(agent, answer, outcome)
      if (--open > 0) return
      settleAnswers(agent, answers)
      if (question !== null) agent.lastText = questionResult(question, agent.envelope.role)
      agent.actor.send({ type: question === null ? 'TOOLS_DONE' : 'ASKED', step })
    })
    if (question === null) return startCall(agent, call, done)
    done(whileAsking(call))
    return NOTHING_IN_FLIGHT
  })
  agent.abort = () => {
    for (const abort of aborts) abort()
  }
}

const isLead = ({ envelope }: Agent): boolean => envelope.role === 'lead'

const announce = (agent: Agent, call: ToolCall): void => {
  if (!isLead(agent)) return
  const { args, truncated } = viewArgs(call.args)
  tellEvent(agent, 'tool_started', { tool_call_id: call.id, name: call.name, args, ...(truncated && { truncated }) })
}

const answerOf = (
  agent: Agent,
  { id: toolCallId, name }: ToolCall,
  { status, content, metadata }: ToolOutcome,
): ToolMessage => ({
  role: 'tool',
  id: `m${++agent.messages}`,
  toolCallId,
  name,
  content,
  status,
  ...(metadata && { metadata }),
})

/** The lead's calls are events of their own; a subagent's show in its progress. */
const report = (agent: Agent, answer: ToolMessage, { files }: ToolOutcome): void => {
  if (files && files.length > 0) {
    for (const file of files) agent.files.add(file)
    tell(agent, { kind: 'files', files })
  }
  const view = viewTool(answer)
  if (!isLead(agent)) {
    tellMessage(agent, view, progressOfTool(answer))
    return
  }
  const { toolCallId: tool_call_id, name, status } = answer
  const { truncated } = view
  const { content } = view.message
  tellEvent(agent, 'tool_finished', { tool_call_id, name, status, content, ...(truncated && { truncated }) })
}

const settleAnswers = (agent: Agent, answers: readonly ToolMessage[]): void => {
  for (const answer of answers) {
    agent.transcript.push(answer)
    if (isLead(agent)) tellMessage(agent, viewTool(answer), '')
  }
}
