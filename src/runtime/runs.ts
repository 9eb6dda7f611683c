import { randomBytes, randomUUID } from 'node:crypto'
import type { Run, RunInfo, RunOptions } from '../contract/api.ts'
import type { ErrorData } from '../contract/errors.ts'
import { NO_USAGE } from '../contract/messages.ts'
import type { RunResult } from '../contract/result.ts'
import type { Clock } from './clock.ts'
import { createEventLog } from './event-log.ts'
import { planLead } from './plan.ts'
import { createRun } from './run.ts'
import { type CheckedRunOptions, checkRunOptions } from './run-options.ts'
import { emit, type RunState } from './run-state.ts'
import type { RunSettings } from './settings.ts'
import type { Supervisor } from './supervisor.ts'

/** Ended runs that can still be watched from their start. */
const ENDED_MAX = 32

export interface Runs {
  /** Throws a `TroupeError` with code `OPTIONS_INVALID`. */
  start(prompt: string, options: RunOptions, settings: RunSettings): Run
  list(): readonly RunInfo[]
  get(id: string): Run | undefined
  active(): readonly RunState[]
  /** Resolves once no run is active. */
  settled(): Promise<unknown>
}

export interface RunsOptions {
  readonly clock: Clock
  readonly supervisor: Supervisor
  /** Called when the first run becomes active, and when the last has ended. */
  onBusy(busy: boolean): void
}

interface Entry {
  readonly state: RunState
  readonly run: Run
}

export const createRuns = ({ clock, supervisor, onBusy }: RunsOptions): Runs => {
  const active = new Map<string, Entry>()
  const ended = new Map<string, Entry>()
  const busyThreads = new Set<string>()

  const open = (options: CheckedRunOptions, settings: RunSettings): Entry => {
    const id = `run_${randomUUID()}`
    const threadId = options.threadId ?? randomUUID()
    let finish: (result: RunResult) => void = () => {}
    const promise = new Promise<RunResult>((resolve) => {
      finish = resolve
    })
    const traceId = options.traceId ?? randomBytes(16).toString('hex')
    const state: RunState = {
      id,
      threadId,
      startedAt: clock.now(),
      log: createEventLog(id, threadId, clock.now),
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
    const { config, catalog } = settings
    emit(state, 'run_started', {
      model_name: options.model,
      limits: { max_turns: config.lead.max_turns, timeout_seconds: config.lead.timeout_seconds, token_budget: null },
      trace_id: traceId,
      effective_policies: {
        subagents: options.subagentEnabled ? catalog.map(({ name }) => name) : [],
        skills: null,
        tool_groups: null,
      },
    })
    return { state, run: createRun(state, promise, supervisor) }
  }

  const keep = (entry: Entry): void => {
    ended.set(entry.state.id, entry)
    for (const id of ended.keys()) {
      if (ended.size <= ENDED_MAX) break
      ended.delete(id)
    }
  }

  const track = (entry: Entry): void => {
    const { state, run } = entry
    active.set(state.id, entry)
    busyThreads.add(state.threadId)
    if (active.size === 1) onBusy(true)
    void run.result.then(() => {
      active.delete(state.id)
      busyThreads.delete(state.threadId)
      keep(entry)
      if (active.size === 0) onBusy(false)
    })
  }

  const infoOf = ({ state }: Entry): RunInfo => ({
    run_id: state.id,
    thread_id: state.threadId,
    status: state.result?.status ?? 'running',
    started_at: state.startedAt,
  })

  return {
    start(prompt, options, settings) {
      const checked = checkRunOptions(prompt, options, settings)
      const entry = open(checked, settings)
      const { state, run } = entry
      if (busyThreads.has(state.threadId)) {
        refuse(state, { code: 'THREAD_BUSY', message: `Another run is under way on thread ${state.threadId}` })
        keep(entry)
        return run
      }
      track(entry)
      followSignal(run, options.signal)
      supervisor.start(state, planLead(state, prompt, checked))
      if (options.signal?.aborted) run.cancel()
      return run
    },
    list: () => [...active.values(), ...ended.values()].map(infoOf),
    get: (id) => (active.get(id) ?? ended.get(id))?.run,
    active: () => [...active.values()].map(({ state }) => state),
    settled: () => Promise.all([...active.values()].map(({ run }) => run.result)),
  }
}

/** Ends a run that may not start. */
const refuse = (state: RunState, error: ErrorData): void => {
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
  emit(state, 'run_finished', { result: state.result })
  state.log.close()
  state.finish(state.result)
}

const followSignal = (run: Run, signal: AbortSignal | undefined): void => {
  if (!signal) return
  const cancel = (): void => run.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  void run.result.then(() => signal.removeEventListener('abort', cancel))
}
