import type { TaskOutcome } from '../contract/envelopes.ts'
import { BRIEF_MAX } from '../contract/limits.ts'
import type { StopReason } from '../contract/status.ts'
import { bound, isBlank } from './bound.ts'

const CAP_LABELS: Readonly<Record<StopReason, string>> = {
  token_capped: 'token budget',
  turn_capped: 'turn budget',
  loop_capped: 'repeated tool-call loop',
}

const DEFAULT_SENTENCES: Readonly<Record<Exclude<TaskOutcome['status'], 'completed'>, string>> = {
  failed: 'Task failed.',
  cancelled: 'Task cancelled by user.',
  timed_out: 'Task timed out.',
}

/** Why a task did not complete: its error, else the sentence for how it ended. */
export const failureText = ({ status, error }: Pick<TaskOutcome, 'status' | 'error'>): string =>
  status === 'completed' ? '' : error.trim() || DEFAULT_SENTENCES[status]

const OWN_TAGS =
  /<(?=\/?(?:system-reminder|task_result|subagent_system|durable_context_data|tool_restrictions|available-deferred-tools)(?![\w-]))/gi

/** Text of a subagent as the lead may see it: a forged tag of the runtime's own becomes plain text. Source: decision 9. */
export const defuse = (text: string): string => text.replace(OWN_TAGS, '&lt;')

/** The line the lead reads. Source: contract/runtime §1.4, to the letter. */
export const resultString = ({ status, stopReason, result, error }: TaskOutcome): string => {
  const cap =
    stopReason && status !== 'cancelled' && status !== 'timed_out' ? ` (capped: ${CAP_LABELS[stopReason]})` : ''
  if (status === 'completed') return `Task Succeeded${cap}. Result: ${result}`
  const plain = DEFAULT_SENTENCES[status]
  const sentence = `${plain.slice(0, -1)}${cap}.`
  const detail = error.trim()
  return detail === '' || detail === plain ? sentence : `${sentence} Error: ${detail}`
}

/** The lead's whole tool message: the line, and behind a failure what was found before it. Source: decision 9. */
export const taskMessage = (outcome: TaskOutcome): string => {
  const line = resultString(outcome)
  const withPartial =
    outcome.status === 'completed' || isBlank(outcome.partialText)
      ? line
      : `${line}\n\nPartial result:\n${outcome.partialText}`
  return defuse(withPartial)
}

/** Structured facts beside the message. Source: contract/runtime §1.6. */
export const taskMetadata = (outcome: TaskOutcome): Readonly<Record<string, unknown>> => {
  const { status, stopReason, result, modelName, usage } = outcome
  const completed = status === 'completed'
  const brief = completed ? bound(result.trim(), BRIEF_MAX) : ''
  const detail = bound(failureText(outcome), BRIEF_MAX)
  return {
    subagent_status: status,
    ...(brief !== '' && { subagent_result_brief: brief, subagent_result_sha256: outcome.resultSha256 }),
    ...(detail !== '' && { subagent_error: detail }),
    ...(stopReason && (completed || status === 'failed') && { subagent_stop_reason: stopReason }),
    ...(modelName && !isBlank(modelName) && { subagent_model_name: modelName.trim() }),
    ...(usage && {
      subagent_token_usage: {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
      },
    }),
  }
}

/** What a `task` call comes to that was refused before anything started. It does not count towards the run's total. */
export const neverStarted = (error: string): TaskOutcome => ({
  status: 'failed',
  stopReason: null,
  result: '',
  error,
  partialText: '',
  modelName: null,
  usage: null,
  resultSha256: '',
  neverStarted: true,
})
