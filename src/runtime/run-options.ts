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

const THREAD_ID = /^[A-Za-z0-9_-]{1,64}$/
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/

const invalid = (option: string, why: string): never => {
  throw new TroupeError('OPTIONS_INVALID', `${option} ${why}`)
}

const clamp = (option: string, value: number | undefined, fallback: number, max: number): number => {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || Number.isNaN(value)) return invalid(option, 'must be a number')
  return Math.min(max, Math.max(1, Math.trunc(value)))
}

/** Reads the options of a run. Throws a `TroupeError` with code `OPTIONS_INVALID` that names the option. */
export const checkRunOptions = (prompt: unknown, options: RunOptions, { config, thread }: RunSettings): CheckedRunOptions => {
  if (typeof prompt !== 'string' || prompt.trim() === '') invalid('prompt', 'must be a text that is not blank')
  const { threadId, model, agent, subagentEnabled = true, include = [], traceId } = options
  if (threadId !== undefined && (typeof threadId !== 'string' || !THREAD_ID.test(threadId))) {
    invalid('threadId', `must match ${THREAD_ID.source}`)
  }
  const names = thread.models.map(({ name }) => name)
  if (model !== undefined && !names.includes(model)) invalid('model', `"${model}" is not in models: ${names.join(', ')}`)
  if (agent !== undefined) invalid('agent', `"${agent}" is not a known agent: none is defined`)
  if (traceId !== undefined && !TRACE_ID.test(traceId)) invalid('traceId', 'must be 32 lower-case hex digits, not all zero')
  for (const each of include) {
    if (each !== 'state' && each !== 'task_delta') invalid('include', `knows "state" and "task_delta", not "${each}"`)
  }
  const { max_concurrent: concurrent, max_total_per_run: total } = config.subagents
  return {
    threadId: threadId ?? null,
    model: model ?? names[0] ?? '',
    subagentEnabled,
    maxConcurrent: clamp('maxConcurrentSubagents', options.maxConcurrentSubagents, concurrent, 64),
    maxTotal: clamp('maxTotalSubagents', options.maxTotalSubagents, total, 50),
    deltas: include.includes('task_delta'),
    states: include.includes('state'),
    traceId: traceId ?? null,
  }
}
