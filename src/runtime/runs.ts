import type { Run, RunInfo, RunOptions } from '../contract/api.ts'
import type { ThreadEntry } from '../contract/conversation.ts'
import { messageOf } from '../contract/errors.ts'
import type { Clock } from './clock.ts'
import type { Conversations } from './conversations/conversations.ts'
import type { LiveSettings } from './live-settings.ts'
import { type Opening, openRun } from './open-run.ts'
import { planLead } from './plan.ts'
import { createRun } from './run.ts'
import { checkBeforeEdit, checkRunOptions } from './run-options.ts'
import { createRunState, refuseRun } from './run-state.ts'
import type { Supervisor } from './supervisor.ts'
import type { RunState } from './tracked.ts'

/** Ended runs that can still be watched from their start. */
const ENDED_MAX = 32

export interface Runs {
  /** Throws a `TroupeError` with code `OPTIONS_INVALID`. */
  start(prompt: string, options: RunOptions, live: LiveSettings): Run
  list(): readonly RunInfo[]
  get(id: string): Run | undefined
  active(): readonly RunState[]
  /** Resolves once no run is active. */
  settled(): Promise<unknown>
}

export interface RunsOptions {
  readonly clock: Clock
  readonly conversations: Conversations
  readonly supervisor: Supervisor
  /** Called when the first run becomes active, and when the last has ended. */
  onBusy(busy: boolean): void
}

interface Entry {
  readonly state: RunState
  readonly run: Run
}

export const createRuns = ({ clock, conversations, supervisor, onBusy }: RunsOptions): Runs => {
  const active = new Map<string, Entry>()
  const ended = new Map<string, Entry>()

  const follow = (entry: Entry): void => {
    const { state, run } = entry
    active.set(state.id, entry)
    if (active.size === 1) onBusy(true)
    void run.result.then(() => {
      active.delete(state.id)
      ended.set(state.id, entry)
      for (const id of ended.keys()) if (ended.size > ENDED_MAX) ended.delete(id)
      if (active.size === 0) onBusy(false)
    })
  }

  const begin = async (opening: Opening): Promise<void> => {
    const { run, prompt } = opening
    const options = await openRun(opening)
    if ('code' in options) {
      refuseRun(run, options)
      return
    }
    const plan = planLead(run, prompt, options)
    run.conversation.add(promptEntry(prompt))
    supervisor.start(run, plan)
  }

  /** Whoever has the run waits for its end, so a fault of ours is one too, and gives the conversation back. */
  const giveUp = (run: RunState, thrown: unknown): void =>
    run.conversation.end('failed', () => refuseRun(run, { code: 'INTERNAL', message: messageOf(thrown) }))

  return {
    start(prompt, options, live) {
      const check = live.isStale() ? checkBeforeEdit : checkRunOptions
      const asked = check(prompt, options, live.current())
      const { state, result } = createRunState(asked, live.current(), clock)
      const run = createRun(state, result, supervisor)
      follow({ state, run })
      followSignal(run, options.signal)
      begin({ run: state, prompt, options, asked, conversations, live }).catch((thrown) => giveUp(state, thrown))
      void result.then(() => live.release(state.settings))
      return run
    },
    list: () => [...active.values(), ...ended.values()].map(infoOf),
    get: (id) => (active.get(id) ?? ended.get(id))?.run,
    active: () => [...active.values()].map(({ state }) => state),
    settled: () => Promise.all([...active.values()].map(({ run }) => run.result)),
  }
}

const promptEntry = (prompt: string): string => {
  const entry: ThreadEntry = { message: { role: 'user', content: prompt } }
  return JSON.stringify(entry)
}

const infoOf = ({ state }: Entry): RunInfo => ({
  run_id: state.id,
  thread_id: state.threadId,
  status: state.result?.status ?? 'running',
  started_at: state.startedAt,
})

const followSignal = (run: Run, signal: AbortSignal | undefined): void => {
  if (!signal) return
  const cancel = (): void => run.cancel()
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  void run.result.then(() => signal.removeEventListener('abort', cancel))
}
