import type { AgentEvent } from '../../machines/agent.machine.ts'
import type { ErrorData } from '../contract/errors.ts'
import { addUsage, NO_USAGE, type ToolCall } from '../contract/messages.ts'
import type { ModelReply } from '../models/port.ts'
import { isBlank } from '../policy/bound.ts'
import { budgetNote, budgetVerdict } from '../policy/budget.ts'
import { uniqueCalls } from '../policy/call-ids.ts'
import { capNote } from '../policy/cap.ts'
import { canRunAny, fruitlessWhy } from '../policy/fruitless.ts'
import { createLoopWatch, loopNote } from '../policy/loop.ts'
import { type Shortfall, shortfallOf } from '../policy/shortfall.ts'
import { type Agent, addNote, tellWarning } from './agent.ts'
import { trimTaskCalls } from './delegate.ts'
import { recordText } from './record.ts'
import { showCounters } from './spend.ts'

/**
 * What a response is, and what the guards make of it, as the event on which the agent's machine decides. The response
 * waits on the agent until the machine records it. `told` is the note that went out with the request.
 */
export const judge = (agent: Agent, step: number, reply: ModelReply, id: string, told: string | null): AgentEvent => {
  const event = reply.incomplete
    ? breakOff(agent, step, reply, id, reply.incomplete)
    : look(agent, step, reply, id, told)
  if (event.type !== 'EMPTY') agent.turns++
  showCounters(agent)
  return event
}

/** A response that is not whole is no answer. What was said by then is kept, as what is left of the work. */
const breakOff = (agent: Agent, step: number, { text }: ModelReply, id: string, error: ErrorData): AgentEvent => {
  if (!isBlank(text)) agent.lastText = text
  agent.response = { role: 'assistant', id, content: text, toolCalls: [] }
  recordText(agent)
  return { type: 'MODEL_FAILED', step, error }
}

const look = (agent: Agent, step: number, reply: ModelReply, id: string, told: string | null): AgentEvent => {
  const asked = uniqueCalls(reply.toolCalls, agent.callIds)
  const shortfall = asked.length > 0 ? null : shortfallOf(reply.text, reply.finishReason, agent.tools)
  if (shortfall === null && !isBlank(reply.text)) agent.lastText = reply.text
  const hasText = agent.lastText !== ''
  const toolCalls = trimTaskCalls(agent, asked)
  const { text: content, reasoning } = reply
  const response = { role: 'assistant', id, content, toolCalls, ...(reasoning && { reasoning }) } as const
  agent.response = shortfall?.type === 'EMPTY' ? null : response
  // A final answer that crosses the budget is not capped, so its budget is not looked at.
  if (asked.length === 0 && shortfall === null) return { type: 'ANSWERED', step }
  const budget = budgetWhy(agent)
  if (shortfall === null) return { type: 'CALLS', step, hasText, loop: loopWhy(agent, asked, toolCalls), budget }
  askAgain(agent, shortfall, told)
  return { type: shortfall.type, step, hasText, budget, error: shortfall.error }
}

/** What was told with a request that came to nothing is told again, with what was wrong. */
const askAgain = (agent: Agent, { note }: Shortfall, told: string | null): void => {
  if (told !== null) addNote(agent, told)
  addNote(agent, note)
}

/** Why the calls lead nowhere, or `null`. Looks at all that were asked for: those a limit took away are repeats too. */
const loopWhy = (agent: Agent, asked: readonly ToolCall[], calls: readonly ToolCall[]): string | null => {
  const { watch, envelope } = agent
  watch.fruitless = canRunAny(calls, agent.tools) ? 0 : watch.fruitless + 1
  const why = fruitlessWhy(watch.fruitless, calls.length === 0)
  const { loop } = envelope.guards
  if (why !== null || loop === null) return why && stopped(agent, 'loop', 'loop_capped', why)
  watch.loop ??= createLoopWatch(loop)
  const verdict = watch.loop.next(asked)
  if (verdict === null) return null
  if (verdict.stop) return stopped(agent, 'loop', 'loop_capped', verdict.why)
  warn(agent, 'loop', loopNote(verdict))
  return null
}

/** Why too much is spent, or `null`. What subagents have spent is their lead's to pay. */
const budgetWhy = (agent: Agent): string | null => {
  const { watch, usage, envelope } = agent
  const { budget } = envelope.guards
  if (budget === null) return null
  const verdict = budgetVerdict(budget, addUsage(usage ?? NO_USAGE, watch.delegated))
  if (verdict === null) return null
  if (verdict.stop) return stopped(agent, 'token_budget', 'token_capped', verdict.why)
  if (!watch.budgetWarned) warn(agent, 'token_budget', budgetNote(verdict))
  watch.budgetWarned = true
  return null
}

type Guard = 'loop' | 'token_budget'

const warn = (agent: Agent, code: Guard, note: string): void => {
  addNote(agent, note)
  tellWarning(agent, code, note)
}

const stopped = (agent: Agent, code: Guard, reason: 'loop_capped' | 'token_capped', why: string): string => {
  tellWarning(agent, code, capNote({ reason, why }))
  return why
}
