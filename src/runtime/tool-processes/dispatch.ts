import type { Log } from '../../contract/api.ts'
import type { ToolReply } from '../../contract/tool-frames.ts'
import type { Place } from './launch.ts'
import type { MemoryWatch } from './memory.ts'
import type { Places } from './places.ts'
import type { Job, Running } from './running.ts'
import { startJob } from './running.ts'
import type { Clock } from './timer.ts'
import type { CallKey, Waiting } from './waiting.ts'

/** Waiting calls of one run; more are refused. */
export const WAITING_PER_RUN = 1000

export interface Pool {
  readonly waiting: Waiting<Job>
  readonly running: Map<CallKey, Running>
  readonly places: Places
  readonly memory: MemoryWatch
  readonly count: number
  readonly graceMs: number
  /** A process above this after a call gets no other: the next call must not pay for what the last one left behind. */
  readonly keepBytes: number
  readonly clock: Clock
  readonly log: Log
  lastId: number
  closed: boolean
}

export const enqueue = (pool: Pool, job: Job): void => {
  if (pool.closed) job.failed('was not run: the runtime is closed')
  else if (pool.waiting.add(job.key, job.runId, job)) dispatch(pool)
  else job.failed(`was not run: ${WAITING_PER_RUN} calls of this run are waiting already`)
}

/** Gives waiting calls to idle processes, and starts more where there are none. */
export const dispatch = (pool: Pool): void => {
  const { waiting, places, count } = pool
  for (let idle = idlePlaces(places); idle.length > 0; idle = idlePlaces(places)) {
    const job = waiting.take()
    if (job === undefined) return
    begin(pool, bestFor(job, idle), job)
  }
  let starting = [...places.all].filter(({ state }) => state === 'starting').length
  while (!pool.closed && starting < waiting.size && places.all.size < count && places.start()) starting += 1
}

const idlePlaces = ({ all }: Places): readonly Place[] => [...all].filter(({ state }) => state === 'idle')

/** One that has the module already, else the oldest. */
const bestFor = ({ module }: Job, idle: readonly Place[]): Place => {
  const [oldest] = idle
  if (oldest === undefined) throw new Error('no process is idle')
  return idle.find(({ loaded }) => module !== null && loaded.has(module)) ?? oldest
}

const begin = (pool: Pool, place: Place, job: Job): void => {
  const { clock, graceMs, keepBytes } = pool
  pool.lastId += 1
  place.state = 'running'
  place.used = true
  if (job.module !== null) place.loaded.add(job.module)
  place.running = startJob({
    job,
    id: pool.lastId,
    process: place.process,
    clock,
    graceMs,
    onOver: (state, rss) => over(pool, place, job, state === 'free' && rss <= keepBytes),
  })
  pool.running.set(job.key, place.running)
  pool.memory.add(place.process.pid)
}

const over = (pool: Pool, place: Place, job: Job, reusable: boolean): void => {
  pool.running.delete(job.key)
  pool.memory.remove(place.process.pid)
  place.running = null
  place.state = 'idle'
  const text = place.process.printed()
  if (text !== '') pool.log('debug', 'a tool printed', { tool: job.name, text })
  if (!reusable || place.spoilt) pool.places.replace(place)
  dispatch(pool)
}

/** What a process says, other than that it is ready. */
export const receive = (pool: Pool, place: Place, reply: ToolReply, body: string): void => {
  const current = place.running
  if (reply.type === 'stray') {
    pool.log('warn', 'a tool failed after it had answered', { tool: reply.tool, detail: reply.detail })
    spoil(pool, place)
  } else if (reply.type === 'ready' || current?.id !== reply.id) spoil(pool, place)
  else if (reply.type === 'free') current.free(reply.rss)
  else current.answer(reply, body)
}

/** The call that runs in it, which is not to blame, goes on to its end. */
const spoil = (pool: Pool, place: Place): void => {
  place.spoilt = true
  if (place.running === null) pool.places.replace(place)
}
