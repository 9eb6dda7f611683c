import type { After, ToolReply, ToolRequest } from '../../contract/tool-frames.ts'
import { timedOut } from './endings.ts'
import type { ToolProcess } from './process.ts'
import type { Clock } from './timer.ts'
import type { CallKey } from './waiting.ts'

export type Answer = Exclude<ToolReply, { type: 'ready' | 'free' | 'stray' }>

/** Something one process is to do once. */
export interface Job {
  readonly key: CallKey
  readonly runId: string
  /** For logs. */
  readonly name: string
  /** The module it needs, to prefer a process that has it. */
  readonly module: string | null
  readonly timeoutMs: number | null
  request(id: number): ToolRequest
  readonly body: string
  done(answer: Answer, body: string): void
  /** Told without a subject: `timed out after 3 seconds and was stopped`. */
  failed(reason: string): void
}

export interface Running {
  readonly id: number
  readonly job: Job
  /** The caller has let go: the process gets the grace time to settle. */
  abort(): void
  answer(answer: Answer, body: string): void
  free(rss: number): void
  /** The process is lost. */
  fail(reason: string): void
}

export interface RunningOptions {
  readonly job: Job
  readonly id: number
  readonly process: ToolProcess
  readonly clock: Clock
  readonly graceMs: number
  /** Called once; `broken`: the process must go. */
  readonly onOver: (state: 'free' | 'broken', rss: number) => void
}

/** One job on one process, until it may have the next or has to go. The job hears one answer, or none after an abort. */
export const startJob = ({ job, id, process, clock, graceMs, onOver }: RunningOptions): Running => {
  let told = false
  let expired = false
  let stopping = false
  let over = false
  let callOff = (): void => {}

  const tell = (how: () => void): void => {
    if (told) return
    told = true
    // Whatever it came to after its deadline, the deadline came first.
    if (expired && job.timeoutMs !== null) job.failed(timedOut(job.timeoutMs))
    else how()
  }
  const end = (state: After['state'], rss: number): void => {
    if (over || state === 'busy') return
    over = true
    callOff()
    process.release()
    onOver(state, rss)
  }
  const fail = (reason: string): void => {
    tell(() => job.failed(reason))
    end('broken', 0)
  }
  const stop = (why: 'cancelled' | 'timed_out'): void => {
    stopping = true
    callOff()
    process.send({ type: 'abort', id, why })
    callOff = clock.after(graceMs, () => fail('did not stop when asked to and was killed'))
  }
  const expire = (): void => {
    expired = true
    stop('timed_out')
  }

  process.hold()
  process.send(job.request(id), job.body)
  if (job.timeoutMs !== null) callOff = clock.after(job.timeoutMs, expire)

  return {
    id,
    job,
    abort: () => {
      told = true
      if (!stopping) stop('cancelled')
    },
    answer: (answer, body) => {
      tell(() => job.done(answer, body))
      end(answer.after.state, answer.after.rss)
    },
    free: (rss) => end('free', rss),
    fail,
  }
}
