import { randomBytes, randomUUID } from 'node:crypto'
import { NOTHING_RECALLED } from '../contract/conversation.ts'
import type { ErrorData } from '../contract/errors.ts'
import { NO_USAGE } from '../contract/messages.ts'
import type { RunResult } from '../contract/result.ts'
import type { Clock } from './clock.ts'
import { noConversation } from './conversations/conversations.ts'
import { createEventLog } from './event-log.ts'
import { effectivePolicies, leadLimits } from './plan.ts'
import type { CheckedRunOptions } from './run-options.ts'
import type { RunSettings } from './settings.ts'
import type { RunState } from './tracked.ts'

/** A run that was asked for and has not opened yet: its identity and its log. */
export const createRunState = (
  options: CheckedRunOptions,
  settings: RunSettings,
  clock: Clock,
): { readonly state: RunState; readonly result: Promise<RunResult> } => {
  const id = `run_${randomUUID()}`
  const threadId = options.threadId ?? randomUUID()
  const traceId = options.traceId ?? randomBytes(16).toString('hex')
  let finish: (result: RunResult) => void = () => {}
  const result = new Promise<RunResult>((resolve) => {
    finish = resolve
  })
  const state: RunState = {
    id,
    threadId,
    startedAt: clock.now(),
    log: createEventLog(id, threadId, clock.now),
    conversation: noConversation,
    recalled: NOTHING_RECALLED,
    settings,
    traceId,
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    deltas: options.deltas,
    states: options.states,
    lead: null,
    stop: null,
    tasks: new Map(),
    live: 0,
    result: null,
    finish,
  }
  return { state, result }
}

/** The first event of a run, once it has opened and its settings stand. */
export const announceRun = ({ log, settings, traceId }: RunState, options: CheckedRunOptions): void =>
  log.append('run_started', {
    model_name: options.model,
    limits: leadLimits(settings),
    trace_id: traceId,
    effective_policies: effectivePolicies(settings, options),
  })

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
