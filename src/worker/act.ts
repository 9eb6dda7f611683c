import type { ToolCall, ToolMessage } from '../contract/messages.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { progressOfTool, viewArgs, viewTool } from '../policy/message-view.ts'
import { type Agent, tell, tellEvent } from './agent.ts'
import { startCall } from './start-call.ts'
import { stopEvent } from './stop.ts'
import { tellMessage } from './tell-message.ts'
import { addMessage } from './transcript.ts'

/** Runs the calls of the last response at once and answers each, in their order; one that fails costs no other. */
export const act = (agent: Agent, step: number): void => {
  const last = agent.transcript.at(-1)
  const calls = last?.role === 'assistant' ? last.toolCalls : []
  const stop = stopEvent(agent)
  if (stop || calls.length === 0) {
    agent.actor.send(stop ? { type: stop } : { type: 'TOOLS_DONE', step })
    return
  }

  const answers: ToolMessage[] = new Array(calls.length)
  let open = calls.length
  const aborts = calls.map((call, index) => {
    announce(agent, call)
    return startCall(agent, call, (outcome) => {
      if (agent.ended) return
      const answer = answerOf(agent, call, outcome)
      answers[index] = answer
      report(agent, answer, outcome)
      if (--open > 0) return
      settleAnswers(agent, answers)
      agent.actor.send({ type: 'TOOLS_DONE', step })
    })
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
    addMessage(agent, answer)
    if (isLead(agent)) tellMessage(agent, viewTool(answer), '')
  }
}
