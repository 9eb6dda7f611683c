import type { EventFields, EventType, RunEvent } from '../../src/contract/events.ts'
import { NO_USAGE, type Usage } from '../../src/contract/messages.ts'
import type { RunResult } from '../../src/contract/result.ts'

/** An event as the runtime would send it, `seconds` after the run began. */
export const event = <T extends EventType>(type: T, seconds: number, fields: EventFields[T]): RunEvent =>
  ({ type, run_id: 'r1', thread_id: 't1', seq: 1, time: T0 + seconds * 1000, ...fields }) as unknown as RunEvent

/** When every run of these tests begins. */
export const T0 = 1_700_000_000_000

export const usage = (total: number): Usage => ({ input_tokens: total, output_tokens: 0, total_tokens: total })

const limits = { max_turns: 150, timeout_seconds: 1800, token_budget: null }

export const started = (): RunEvent =>
  event('run_started', 0, {
    model_name: 'main',
    limits,
    trace_id: 'x',
    effective_policies: { subagents: ['general-purpose'], skills: null, tool_groups: null },
  })

export const taskQueued = (at: number, task_id: string, description: string, position = 1): RunEvent =>
  event('task_queued', at, { task_id, description, subagent_type: 'general-purpose', position })

export const taskStarted = (at: number, task_id: string, description: string): RunEvent =>
  event('task_started', at, { task_id, description, subagent_type: 'general-purpose', model_name: 'main', limits })

export const taskCalls = (at: number, task_id: string, name: string, args: object, total = 0): RunEvent =>
  event('task_running', at, {
    task_id,
    message: { id: 'm', type: 'ai', content: '', tool_calls: [{ id: 'c', name, args }] },
    message_index: 1,
    progress: `${name} ${Object.values(args)[0] ?? ''}`,
    usage: usage(total),
    model_name: 'main',
  })

const ended = { stop_reason: null, artifacts: [], model_name: 'main' } as const

export const taskCompleted = (at: number, task_id: string, total = 1200): RunEvent =>
  event('task_completed', at, { task_id, result: 'found', usage: usage(total), ...ended })

export const taskFailed = (at: number, task_id: string, error: string): RunEvent =>
  event('task_failed', at, { task_id, error, partial: null, usage: null, ...ended })

export const resultOf = (fields: Partial<RunResult> = {}): RunResult => ({
  run_id: 'r1',
  thread_id: 't1',
  status: 'completed',
  stop_reason: null,
  text: 'The answer.',
  error: null,
  usage: NO_USAGE,
  turns: 2,
  delegations: [],
  ...fields,
})

export const finished = (at: number, fields: Partial<RunResult> = {}): RunEvent =>
  event('run_finished', at, { result: resultOf(fields) })
