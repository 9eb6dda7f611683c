import type { RunOptions } from '../contract/api.ts'
import { TroupeError } from '../contract/errors.ts'
import type { RunSettings } from './settings.ts'

export interface CheckedRunOptions {
  readonly threadId: string | null
  readonly model: string
  readonly subagentEnabled: boolean
  readonly maxConcurrent: number
  readonly maxTotal: number
  readonly deltas: boolean
  readonly states: boolean
  readonly traceId: string | null
}

export const THREAD_ID = /^[A-Za-z0-9_-]{1,64}$/
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/
const EXTRAS: readonly string[] = ['state', 'task_delta']

const invalid = (option: string, why: string): never => {
  throw new TroupeError('OPTIONS_INVALID', `${option} ${why}`)
}

const clamp = (option: string, value: number | undefined, fallback: number, max: number): number => {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || Number.isNaN(value)) return invalid(option, 'must be a number')
  return Math.min(max, Math.max(1, Math.trunc(value)))
}

const checkNames = ({ threadId, model, agent, traceId, include }: RunOptions, models: readonly string[]): void => {
  if (threadId !== undefined && !(typeof threadId === 'string' && THREAD_ID.test(threadId))) {
    invalid('threadId', `must match ${THREAD_ID.source}`)
  }
  if (model !== undefined && !models.includes(model))
    invalid('model', `"${model}" is not in models: ${models.join(', ')}`)
  if (agent !== undefined) invalid('agent', `"${agent}" is not a known agent: none is defined`)
  if (traceId !== undefined && !TRACE_ID.test(traceId))
    invalid('traceId', 'must be 32 lower-case hex digits, not all zero')
  const unknown = include?.find((each) => !EXTRAS.includes(each))
  if (unknown !== undefined) invalid('include', `knows ${EXTRAS.join(' and ')}, not "${unknown}"`)
}

/** Reads the options of a run. Throws a `TroupeError` with code `OPTIONS_INVALID` that names the option. */
export const checkRunOptions = (
  prompt: unknown,
  options: RunOptions,
  { config, thread }: RunSettings,
): CheckedRunOptions => {
  if (typeof prompt !== 'string' || prompt.trim() === '') invalid('prompt', 'must be a text that is not blank')
  const models = thread.models.map(({ name }) => name)
  checkNames(options, models)
  const { threadId = null, model = models[0] ?? '', subagentEnabled = true, include = [], traceId = null } = options
  const { max_concurrent: concurrent, max_total_per_run: total } = config.subagents
  return {
    threadId,
    model,
    subagentEnabled,
    maxConcurrent: clamp('maxConcurrentSubagents', options.maxConcurrentSubagents, concurrent, 64),
    maxTotal: clamp('maxTotalSubagents', options.maxTotalSubagents, total, 50),
    deltas: include.includes('task_delta'),
    states: include.includes('state'),
    traceId,
  }
}

/**
 * Reads the options while an edit of the config waits to be read, which may bring the names they use: only what no config
 * can make right is thrown.
 */
export const checkBeforeEdit = (prompt: unknown, options: RunOptions, settings: RunSettings): CheckedRunOptions => {
  const { model: _, agent: __, ...rest } = options
  return checkRunOptions(prompt, rest, settings)
}
