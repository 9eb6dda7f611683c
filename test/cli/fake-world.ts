import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { Readable, Writable } from 'node:stream'
import type { World } from '../../src/cli/world.ts'
import type { Run, Runtime } from '../../src/contract/api.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import type { RunResult } from '../../src/contract/result.ts'
import { resultOf } from './events.ts'

/** A pipe that collects what is written, and breaks after so many writes if told to, as if its reader had left. */
export const pipe = (
  breaksAfter = Number.POSITIVE_INFINITY,
  code: 'EPIPE' | 'ECONNRESET' | 'ENOSPC' | 'EIO' = 'EPIPE',
): Writable & { text: string } => {
  let left = breaksAfter
  const broken = () => Object.assign(new Error(`write ${code}`), { code, errno: -constants.errno[code] })
  const stream = Object.assign(
    new Writable({
      write(chunk, _, done) {
        if (left-- <= 0) return done(broken())
        stream.text += chunk
        done()
      },
    }),
    { text: '' },
  )
  return stream
}

export interface FakeRun {
  readonly runtime: Runtime
  /** What the command did to the run and the runtime, in order. */
  readonly done: string[]
}

/** A runtime whose one run sends these events, and waits for its cancel before an event that is `null`. */
export const fakeRuntime = (events: readonly (RunEvent | null)[], result: Partial<RunResult> = {}): FakeRun => {
  const done: string[] = []
  let cancelled = () => {}
  let end = (_: RunResult) => {}
  const wasCancelled = new Promise<void>((resolve) => {
    cancelled = resolve
  })
  const ended = new Promise<RunResult>((resolve) => {
    end = resolve
  })
  const run = {
    id: 'r1',
    threadId: 't1',
    result: ended,
    cancel: (reason: string) => {
      done.push(`cancel: ${reason}`)
      cancelled()
      end(resultOf({ status: 'cancelled', text: 'half', error: { code: 'CANCELLED', message: reason } }))
    },
    async *[Symbol.asyncIterator]() {
      let finished = false
      try {
        for (const event of events) {
          if (event === null) await wasCancelled
          else yield event
        }
        finished = true
      } finally {
        if (!finished) run.cancel('left')
        else end(resultOf(result))
      }
    },
  }
  const runtime = {
    run: (prompt: string, options: object) => {
      done.push(`run: ${prompt} ${JSON.stringify(options)}`)
      return run as unknown as Run
    },
    close: async () => void done.push('close'),
  }
  return { runtime: runtime as unknown as Runtime, done }
}

export const fakeWorld = (fields: Partial<World> = {}) => {
  const exits: number[] = []
  const stdout = pipe()
  const stderr = pipe()
  const world: World = {
    env: {},
    cwd: '/project',
    stdin: Readable.from([]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    packageFile: async (name) => `the package's ${name}\n`,
    open: () => Promise.reject(new Error('no runtime here')),
    exit: (code) => void exits.push(code),
    ...fields,
  }
  return { world, stdout, stderr, exits }
}
