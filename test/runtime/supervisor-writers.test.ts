import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgentRef, ThreadMessage } from '../../src/contract/envelopes.ts'
import type { TerminalStatus } from '../../src/contract/status.ts'
import { allocateControl } from '../../src/control/control.ts'
import {
  endOf,
  LEAD_THREAD,
  reportOf,
  SETTLE_MS,
  supervise,
  TASK_THREAD,
  TIMEOUT_MS,
} from '../support/supervised-run.ts'

type Subject = 'task' | 'lead'

const HALF = { message: { id: 'm', type: 'ai', content: 'half' } }

/** A lead, perhaps with a task, and all that may happen to the one of them that is looked at, by name. */
const scene = (subject: Subject) => {
  const thread = subject === 'task' ? TASK_THREAD : LEAD_THREAD
  const control = allocateControl(2, 2)
  let port: ThreadMessage[] = []
  const drain = (of: number): void => {
    if (of !== thread) return
    const messages = port
    port = []
    for (const message of messages) supervisor.receive(thread, message)
  }
  const { supervisor, clock, told, begin } = supervise(control, drain)
  const { run, lead, delegate, events } = subject === 'task' ? begin() : begin(TIMEOUT_MS)
  const agent: AgentRef = subject === 'task' ? delegate() : lead
  // So that a deadline may fall within the grace time of another stop.
  clock.advance(TIMEOUT_MS - 100)
  const fields = JSON.stringify(HALF)
  const said = { ...agent, kind: 'event', type: 'message', fields, says: true, time: 0 } as const
  supervisor.receive(thread, { type: 'items', items: [said] })

  const acts: Record<string, () => void> = {
    deadline: () => clock.advance(100),
    cancel: () => {
      if (subject === 'task') supervisor.stopTask(run, 'c1', 'No need')
      else supervisor.stopRun(run, 'cancel', 'No need')
    },
    close: () => supervisor.stopRun(run, 'close', 'The runtime was closed'),
    lost: () => {
      drain(thread)
      supervisor.threadGone(thread)
    },
    wedged: () => supervisor.giveUp(thread, 'It no longer answers.'),
    grace: () => clock.advance(SETTLE_MS),
    posts: () => void port.push({ type: 'items', items: [endOf(agent, reportOf('completed', 'whole'))] }),
    swaps: () => void control.settle(agent, 'completed'),
    arrives: () => drain(thread),
    'lead ends': () =>
      supervisor.receive(LEAD_THREAD, { type: 'items', items: [endOf(lead, reportOf('completed', ''))] }),
  }
  const play = (script: string): void => {
    for (const name of script.split(', ')) {
      assert.ok(acts[name], name)
      acts[name]?.()
    }
  }
  return { run, agent, control, told, events, play }
}

const errors = {
  deadline: 'Execution timed out after 10 seconds',
  cancel: 'No need',
  close: 'The runtime was closed',
  lost: 'The thread that ran the agent was lost.',
  wedged: 'It no longer answers.',
} as const

type Writer = keyof typeof errors

/** Plays a script to its end, a late agent included; the agent must have ended once, in this way. */
const check = (subject: Subject, script: string, status: TerminalStatus, error: string | null): void => {
  const { run, agent, control, told, events, play } = scene(subject)
  play(script)
  play('grace, posts, swaps, arrives, lead ends, grace')
  const result = run.result
  assert.ok(result, script)
  const all = events()
  assert.is(all.filter(({ type }) => type === 'run_finished').length, 1, script)
  assert.is(control.standing(agent), 'gone', script)
  if (subject === 'lead') {
    assert.equal(
      [result.status, result.error?.message ?? null, result.text],
      [status, error, error ? 'half' : 'whole'],
      script,
    )
    return
  }
  const ends = all.filter(({ type }) => /^task_(completed|failed|cancelled|timed_out)$/.test(type))
  assert.equal(
    ends.map(({ type }) => type),
    [`task_${status}`],
    script,
  )
  const row = result.delegations[0]
  const expected =
    error === null
      ? { status, result: 'whole', error, partial: null }
      : { status, result: null, error, partial: { text: 'half', files: [] } }
  for (const [key, value] of Object.entries(expected)) assert.equal(row?.[key as 'status'], value, `${script}: ${key}`)
  assert.is(told.length, script.includes('close') ? told.length : 1, script)
}

const statuses: Readonly<Record<Writer, TerminalStatus>> = {
  deadline: 'timed_out',
  cancel: 'cancelled',
  close: 'cancelled',
  lost: 'failed',
  wedged: 'failed',
}
/** Those that end the agent at once; the others ask it first. */
const isFinal = (writer: Writer): boolean => statuses[writer] === 'failed'

const writers = Object.keys(errors) as Writer[]
const agentEnds = ['posts, swaps', 'posts, arrives, swaps']

for (const subject of ['task', 'lead'] as const) {
  for (const first of writers) {
    for (const second of writers) {
      test(`${subject}: ${first}, then ${second}: the first says how it ended`, () => {
        check(subject, `${first}, ${second}`, statuses[first], errors[first])
        check(subject, `${first}, grace, ${second}`, statuses[first], errors[first])
      })

      test(`${subject}: its own end before, between or after ${first} and ${second} counts until it was ended`, () => {
        for (const end of agentEnds) {
          check(subject, `${end}, ${first}, ${second}`, 'completed', null)
          const between = isFinal(first) ? first : null
          check(subject, `${first}, ${end}, ${second}`, between ? 'failed' : 'completed', between && errors[between])
          const after = isFinal(first) || isFinal(second) ? first : null
          check(subject, `${first}, ${second}, ${end}`, after ? statuses[after] : 'completed', after && errors[after])
        }
      })
    }
  }

  test(`${subject}: a report that was posted but not swapped in loses to a swap of the host`, () => {
    check(subject, 'cancel, posts, grace, arrives, swaps', 'cancelled', errors.cancel)
    check(subject, 'posts, wedged, arrives, swaps', 'failed', errors.wedged)
  })

  test(`${subject}: what a thread posted before it died counts, swapped in or not`, () => {
    check(subject, 'posts, lost', 'completed', null)
  })

  test(`${subject}: a swap without a report is a failure with a reason`, () => {
    check(subject, 'cancel, swaps, grace', 'failed', 'The agent ended without a report.')
  })
}

test.run()
