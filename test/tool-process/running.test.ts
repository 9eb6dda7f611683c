import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolRequest } from '../../src/contract/tool-frames.ts'
import type { ToolProcess } from '../../src/runtime/tool-processes/process.ts'
import { type Answer, type Running, startJob } from '../../src/runtime/tool-processes/running.ts'
import type { Clock } from '../../src/runtime/tool-processes/timer.ts'

type After = Answer['after']['state']

const done = (state: After): Answer => ({ type: 'done', id: 1, status: 'success', after: { state, rss: 5 } })

/** A job of 1000 ms with a grace of 200, on a process that only notes what it is sent. */
const setUp = () => {
  const log: string[] = []
  let now = 0
  let timer: { at: number; run: () => void } | null = null
  const clock: Clock = {
    after: (ms, run) => {
      const mine = { at: now + ms, run }
      timer = mine
      return () => {
        if (timer === mine) timer = null
      }
    },
  }
  const process: ToolProcess = {
    pid: 7,
    send: (request: ToolRequest) => void log.push(request.type === 'abort' ? `abort ${request.why}` : request.type),
    hold: () => void log.push('hold'),
    release: () => void log.push('release'),
    kill: () => {},
    printed: () => '',
    gone: Promise.resolve(),
  }
  const running: Running = startJob({
    job: {
      key: 1,
      runId: 'r',
      name: 't',
      module: null,
      timeoutMs: 1000,
      request: (id) => ({ type: 'describe', id, of: 'tool', module: { url: 'file:///x', export: 'x' } }),
      body: '',
      done: (_, body) => void log.push(`done ${body}`),
      failed: (reason) => void log.push(`failed: ${reason}`),
    },
    id: 1,
    process,
    clock,
    graceMs: 200,
    onOver: (state, rss) => void log.push(`over ${state} ${rss}`),
  })
  const pass = (ms: number): void => {
    const end = now + ms
    while (timer !== null && timer.at <= end) {
      const { at, run } = timer
      now = at
      timer = null
      run()
    }
    now = end
  }
  return { log: log, running, pass, timers: () => (timer === null ? 0 : 1) }
}

const begun = ['hold', 'describe']
const late = 'failed: timed out after 1 seconds and was stopped'
const rows: readonly {
  readonly name: string
  readonly steps: readonly (After | 'abort' | 'freed' | 'lost' | number)[]
  readonly log: readonly string[]
}[] = [
  { name: 'an answer ends it', steps: ['free', 5000], log: ['done x', 'release', 'over free 5'] },
  { name: 'an answer of a broken process ends both', steps: ['broken'], log: ['done x', 'release', 'over broken 5'] },
  {
    name: 'a lost process fails it',
    steps: ['lost', 'free', 5000],
    log: ['failed: broke', 'release', 'over broken 0'],
  },
  {
    name: 'the deadline asks, the grace time kills',
    steps: [1200, 'free'],
    log: ['abort timed_out', late, 'release', 'over broken 0'],
  },
  {
    name: 'an answer in the grace time comes too late, the process stays',
    steps: [1100, 'free', 5000],
    log: ['abort timed_out', late, 'release', 'over free 5'],
  },
  {
    name: 'a process that still tidies up is told of at once and freed later',
    steps: [1000, 'busy', 'freed', 5000],
    log: ['abort timed_out', late, 'release', 'over free 9'],
  },
  {
    name: 'a process that never gets tidy is killed',
    steps: [1000, 'busy', 200],
    log: ['abort timed_out', late, 'release', 'over broken 0'],
  },
  {
    name: 'an aborted call is not told, its process freed when it answers',
    steps: ['abort', 'free', 5000],
    log: ['abort cancelled', 'release', 'over free 5'],
  },
  {
    name: 'an aborted call is not told, its process killed after the grace time',
    steps: ['abort', 'abort', 200],
    log: ['abort cancelled', 'release', 'over broken 0'],
  },
  {
    name: 'an abort in the grace time gives no new one',
    steps: [1100, 'abort', 100],
    log: ['abort timed_out', 'release', 'over broken 0'],
  },
  {
    name: 'an abort of a call whose process is lost',
    steps: ['abort', 'lost'],
    log: ['abort cancelled', 'release', 'over broken 0'],
  },
]
for (const { name, steps, log: expected } of rows) {
  test(name, () => {
    const { log, running, pass, timers } = setUp()
    for (const step of steps) {
      if (typeof step === 'number') pass(step)
      else if (step === 'abort') running.abort()
      else if (step === 'freed') running.free(9)
      else if (step === 'lost') running.fail('broke')
      else running.answer(done(step), 'x')
    }
    assert.equal(log, [...begun, ...expected])
    assert.is(timers(), 0)
  })
}

test.run()
