import type { TaskOutcome } from '../contract/envelopes.ts'
import type { ToolCall } from '../contract/messages.ts'
import { addUsage } from '../contract/messages.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { trimDelegations, trimNote } from '../policy/delegation-limits.ts'
import { refusalOfType, typeNamed } from '../policy/delegation-refusal.ts'
import { neverStarted, taskMessage, taskMetadata } from '../policy/delegation-result.ts'
import { readTaskArguments, type TaskArguments } from '../policy/task-arguments.ts'
import { type Agent, addNote, tell, tellEvent } from './agent.ts'
import { delegationKey } from './replies.ts'
import { noteDelegation } from './transcript.ts'

export const mayStillDelegate = ({ envelope: { delegation }, delegations }: Agent): boolean =>
  delegation !== null && delegations < delegation.maxTotal

const NOT_YOURS = 'the task tool is not available to you. Do the work yourself, with the tools you have.'

/** What a `task` call asks for, or why it fails at once. */
const readAsk = ({ envelope: { delegation } }: Agent, { args, invalid }: ToolCall): TaskArguments => {
  if (!delegation) return { ok: false, error: NOT_YOURS }
  if (invalid !== undefined) return { ok: false, error: `the arguments could not be read: ${invalid}` }
  const read = readTaskArguments(args)
  if (!read.ok) return read
  const subagentType = typeNamed(read.ask.subagentType, delegation)
  const error = refusalOfType(subagentType, delegation)
  return error === null ? { ok: true, ask: { ...read.ask, subagentType } } : { ok: false, error }
}

/** Takes the `task` calls over a limit out of a response before anything runs, and leaves word of it. */
export const trimTaskCalls = (agent: Agent, calls: readonly ToolCall[]): readonly ToolCall[] => {
  const limits = agent.envelope.delegation
  if (!limits || calls.length === 0) return calls
  const trimmed = trimDelegations(calls, agent.delegations, limits, (call) => !readAsk(agent, call).ok)
  if (trimmed.dropped > 0) {
    const note = trimNote(trimmed, limits)
    addNote(agent, note)
    const code = trimmed.because === 'total' ? 'delegation_limit' : 'delegation_trimmed'
    tellEvent(agent, 'warning', { code, message: note })
  }
  return trimmed.kept
}

const toolOutcome = (outcome: TaskOutcome): ToolOutcome => ({
  status: outcome.status === 'completed' ? 'success' : 'error',
  content: taskMessage(outcome),
  metadata: taskMetadata(outcome),
})

/** The `task` tool: an adapter that asks the host for a subagent and waits for its end. Returns the abort. */
export const delegate = (agent: Agent, call: ToolCall, done: (outcome: ToolOutcome) => void): (() => void) => {
  const { envelope, thread } = agent
  const read = readAsk(agent, call)
  if (!read.ok) {
    done(toolOutcome(neverStarted(read.error)))
    return () => {}
  }
  agent.delegations++
  const key = delegationKey(envelope.slot, envelope.generation, call.id)
  const ask = { callId: call.id, ...read.ask }
  thread.delegations.expect(key, (outcome) => {
    if (outcome.neverStarted) agent.delegations--
    if (outcome.usage) agent.watch.delegated = addUsage(agent.watch.delegated, outcome.usage)
    noteDelegation(agent, ask, outcome)
    done(toolOutcome(outcome))
  })
  tell(agent, { kind: 'delegate', ask })
  return () => thread.delegations.forget(key)
}
