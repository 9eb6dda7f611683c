import type { TaskOutcome } from '../contract/envelopes.ts'
import type { ErrorData } from '../contract/errors.ts'
import type { EventFields } from '../contract/events.ts'
import { BRIEF_MAX } from '../contract/limits.ts'
import { addUsage, NO_USAGE, type Usage } from '../contract/messages.ts'
import type { Artifact, Delegation, Partial, RunResult } from '../contract/result.ts'
import type { StopReason, TerminalStatus } from '../contract/status.ts'
import { artifactsOf } from '../policy/artifacts.ts'
import { bound } from '../policy/bound.ts'
import type { Assignment, RunState } from './tracked.ts'

/** What an ended agent comes to, whoever ended it. */
export interface Outcome {
  readonly status: TerminalStatus
  readonly stopReason: StopReason | null
  readonly text: string
  readonly error: ErrorData | null
  readonly usage: Usage | null
  readonly turns: number
  readonly files: readonly string[]
  /** Name of the model that answered last, so far as is known. */
  readonly modelName: string
  readonly artifacts: readonly Artifact[]
}

const errorOf = ({ status, stop, report, fault, limits }: Assignment): ErrorData | null => {
  switch (status) {
    case 'cancelled':
      return { code: 'CANCELLED', message: stop?.reason ?? 'Cancelled by user' }
    case 'timed_out':
      return { code: 'TIMED_OUT', message: `Execution timed out after ${limits.timeout_seconds} seconds` }
    case 'failed':
      return fault ?? report?.error ?? { code: 'INTERNAL', message: 'The agent failed without a reason.' }
    default:
      return null
  }
}

type Said = EventFields['message'] & { readonly model_name?: string }

/** What is left of an agent that could not report: what it said last, and what shared memory had counted. */
const salvage = ({ progress: { said, counted, files }, modelName }: Assignment) => {
  const event = said === null ? null : (JSON.parse(said) as Said)
  const { inputTokens: input_tokens = 0, outputTokens: output_tokens = 0, turns = 0 } = counted ?? {}
  const total_tokens = input_tokens + output_tokens
  return {
    text: event?.message.content ?? '',
    usage: total_tokens > 0 ? { input_tokens, output_tokens, total_tokens } : null,
    turns,
    files: [...files],
    modelName: event?.model_name ?? modelName,
    stopReason: null,
  }
}

export const outcomeOf = (assignment: Assignment): Outcome => {
  const { text, usage, turns, files, modelName, stopReason } = assignment.report ?? salvage(assignment)
  const error = errorOf(assignment)
  return {
    status: assignment.status ?? 'failed',
    stopReason,
    text,
    error,
    usage,
    turns,
    files,
    modelName,
    artifacts: artifactsOf(files),
  }
}

export const partialOf = ({ status, text, files }: Outcome): Partial | null =>
  status === 'completed' || (text === '' && files.length === 0) ? null : { text, files }

/** A subagent never ends asking for input: its question is its result. */
const taskStatus = (status: TerminalStatus): TaskOutcome['status'] => (status === 'needs_input' ? 'completed' : status)

export const taskOutcomeOf = (assignment: Assignment): TaskOutcome => {
  const outcome = outcomeOf(assignment)
  const { stopReason, text, error, usage, modelName } = outcome
  const status = taskStatus(outcome.status)
  return {
    status,
    stopReason,
    result: status === 'completed' ? text : '',
    error: error?.message ?? '',
    partialText: status === 'completed' ? '' : text,
    modelName,
    usage,
    resultSha256: assignment.report?.resultSha256 ?? '',
  }
}

const delegationOf = (assignment: Assignment): Delegation => {
  const outcome = outcomeOf(assignment)
  const status = taskStatus(outcome.status)
  const completed = status === 'completed'
  return {
    task_id: assignment.taskId ?? '',
    subagent_type: assignment.subagentType,
    description: assignment.description,
    status,
    stop_reason: outcome.stopReason,
    model_name: outcome.modelName,
    usage: outcome.usage,
    result: completed ? bound(outcome.text, BRIEF_MAX) : null,
    error: outcome.error && bound(outcome.error.message, BRIEF_MAX),
    partial: completed ? null : partialOf(outcome),
    artifacts: outcome.artifacts,
  }
}

export const runResultOf = (run: RunState, lead: Assignment): RunResult => {
  const outcome = outcomeOf(lead)
  const delegations = [...run.tasks.values()].map(delegationOf)
  return {
    run_id: run.id,
    thread_id: run.threadId,
    status: outcome.status,
    stop_reason: outcome.stopReason,
    text: outcome.text,
    error: outcome.error,
    usage: delegations.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), outcome.usage ?? NO_USAGE),
    turns: outcome.turns,
    delegations,
  }
}
