import { randomBytes, randomUUID } from 'node:crypto'
import type { ErrorData } from '../contract/errors.ts'
import { NO_USAGE } from '../contract/messages.ts'
import type { RunResult } from '../contract/result.ts'
import type { Clock } from './clock.ts'
import type { Conversation } from './conversations.ts'
import { createEventLog } from './event-log.ts'
import { effectivePolicies, leadLimits } from './plan.ts'
import type { CheckedRunOptions } from './run-options.ts'
import type { RunSettings } from './settings.ts'
import type { RunState } from './tracked.ts'

/** A run that has begun and has no lead yet: its identity, its log, and the first event in it. */
export const openRun = (
  options: CheckedRunOptions,
  settings: RunSettings,
  clock: Clock,
  conversation: Conversation,
): { readonly state: RunState; readonly result: Promise<RunResult> } => {
  const id = `run_${randomUUID()}`
  const { threadId } = conversation
  const traceId = options.traceId ?? randomBytes(16).toString('hex')
  const log = createEventLog(id, threadId, clock.now)
  let finish: (result: RunResult) => void = () => {}
  const result = new Promise<RunResult>((resolve) => {
    finish = resolve
  })
  log.append('run_started', {
    model_name: options.model,
    limits: leadLimits(settings),
    trace_id: traceId,
    effective_policies: effectivePolicies(settings, options),
  })
  const state: RunState = {
    id,
    threadId,
    startedAt: clock.now(),
    log,
    conversation,
    settings,
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    deltas: options.deltas,
    states: options.states,
    lead: null,
    tasks: new Map(),
    live: 0,
    result: null,
    finish,
  }
  return { state, result }
}

/** Ends a run that may not start. */
export const refuseRun = (state: RunState, error: ErrorData): void => {
  state.result = {
    run_id: state.id,
    thread_id: state.threadId,
    status: 'failed',
    stop_reason: null,
    text: '',
    error,
    usage: NO_USAGE,
    turns: 0,
    delegations: [],
  }
  state.log.append('run_finished', { result: state.result })
  state.log.close()
  state.finish(state.result)
}
