import { fileURLToPath } from 'node:url'
import type { Log } from '../../contract/api.ts'
import type { Describes, ToolDescription } from '../../contract/tool-frames.ts'
import type { ToolModule } from '../../contract/tools.ts'
import { describeModules } from './describe-modules.ts'
import type { Pool } from './dispatch.ts'
import { dispatch, enqueue, receive, WAITING_PER_RUN } from './dispatch.ts'
import { outOfMemory } from './endings.ts'
import { childEnvironment } from './environment.ts'
import type { ToolCall } from './jobs.ts'
import { callJob } from './jobs.ts'
import { watchMemory } from './memory.ts'
import type { Places } from './places.ts'
import { createPlaces } from './places.ts'
import type { Clock } from './timer.ts'
import { systemClock } from './timer.ts'
import type { CallKey } from './waiting.ts'
import { createWaiting } from './waiting.ts'

const MB = 1024 * 1024
/** What Node takes beside the heap that `--max-old-space-size` bounds: its code, the young generation, buffers in flight. */
const NODE_MB = 128

export interface ToolProcessesOptions {
  /** The built `tool-process.js`. */
  readonly url: string | URL
  readonly count: number
  readonly memoryMb: number
  readonly graceMs: number
  /** Environment of the processes, model keys already taken out. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly log?: Log
  readonly clock?: Clock
}

export interface ToolProcesses {
  /** Reads tools, or models, from their modules, in the order asked for. */
  describe(modules: readonly ToolModule[], deadlineMs: number, of?: Describes): Promise<readonly ToolDescription[]>
  call(call: ToolCall): void
  /** Lets go of a call, waiting or running: its `onDone` is not called any more. */
  abort(key: CallKey): void
  stats(): { readonly alive: number; readonly replaced: number; readonly waiting: number }
  /** Starts processes until there are `n`, or as many as there may be. */
  warm(n: number): void
  close(): Promise<void>
}

/** Warm processes that take one call at a time. They start when they are needed, and an idle pool costs no CPU. */
export const createToolProcesses = (options: ToolProcessesOptions): ToolProcesses => {
  const pool = createPool(options)
  const { waiting, running, places, count, clock } = pool
  const abort = (key: CallKey): void => {
    if (waiting.remove(key) === undefined) running.get(key)?.abort()
  }
  return {
    describe: (modules, deadlineMs, of = 'tool') =>
      describeModules(of, modules, deadlineMs, { enqueue: (job) => enqueue(pool, job), abort }, clock),
    call: (call) => enqueue(pool, callJob(call)),
    abort,
    stats: () => ({ alive: places.all.size, replaced: places.replaced, waiting: waiting.size }),
    warm: (n) => {
      while (!pool.closed && places.all.size < Math.min(n, count) && places.start());
    },
    close: () => close(pool),
  }
}

const createPool = ({ url, count, memoryMb, graceMs, env, cwd, ...rest }: ToolProcessesOptions): Pool => {
  const { log = () => {}, clock = systemClock } = rest
  const memory = watchMemory((memoryMb + NODE_MB) * MB, (pid) => {
    for (const place of places.all) if (place.process.pid === pid) place.running?.fail(outOfMemory(memoryMb))
  })
  const places: Places = createPlaces(
    { script: fileURLToPath(url), memoryMb, env: childEnvironment(env), cwd, log, clock },
    {
      onChange: () => dispatch(pool),
      onReply: (place, reply, body) => receive(pool, place, reply, body),
      onEnded: (place, reason) => {
        if (place.running) place.running.fail(reason)
        else places.replace(place)
      },
      onUnable: (reason) => failWaiting(pool, `was not run: tool processes do not start (the last one ${reason})`),
    },
  )
  const keepBytes = (memoryMb / 2 + NODE_MB) * MB
  const waiting = createWaiting<ReturnType<typeof callJob>>(WAITING_PER_RUN)
  const pool: Pool = {
    ...{ waiting, places, memory, count, graceMs, keepBytes, clock, log },
    running: new Map(),
    lastId: 0,
    closed: false,
  }
  return pool
}

const failWaiting = ({ waiting }: Pool, reason: string): void => {
  for (const job of waiting.drain()) job.failed(reason)
}

const close = async (pool: Pool): Promise<void> => {
  pool.closed = true
  const held = [...pool.places.all]
  const gone = pool.places.close()
  failWaiting(pool, 'was stopped: the runtime closed')
  for (const place of held) place.running?.fail('was stopped: the runtime closed')
  await gone
}
