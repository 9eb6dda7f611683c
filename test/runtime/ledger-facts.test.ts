import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgentItem } from '../../src/contract/envelopes.ts'
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

/** A lead with one task under way, and all that may happen to them, by name. */
const scene = () => {
  const { supervisor, clock, begin } = supervise(allocateControl(2, 3), () => {})
  const { run, conversation, lead, delegate } = begin()
  const task = delegate()
  const say = (thread: number, item: AgentItem): void => supervisor.receive(thread, { type: 'items', items: [item] })
  const ask = { callId: 'late', description: '', prompt: '', subagentType: '', maxTurns: null }
  const remember = (entry: string): void => say(LEAD_THREAD, { ...lead, kind: 'remember', entry, time: 0 })
  const acts: Record<string, () => void> = {
    nothing: () => {},
    'task completes': () => say(TASK_THREAD, endOf(task, reportOf('completed', 'found it'))),
    'task fails': () => say(TASK_THREAD, endOf(task, reportOf('failed', 'half'))),
    'task is cancelled': () => supervisor.stopTask(run, 'c1', 'No need'),
    'run is cancelled': () => supervisor.stopRun(run, 'cancel', null),
    'runtime closes': () => supervisor.stopRun(run, 'close', 'The runtime was closed'),
    deadline: () => clock.advance(TIMEOUT_MS),
    grace: () => clock.advance(SETTLE_MS),
    'task thread dies': () => supervisor.threadGone(TASK_THREAD),
    'lead thread dies': () => supervisor.threadGone(LEAD_THREAD),
    'lead ends': () => say(LEAD_THREAD, endOf(lead, reportOf('completed', 'done'))),
    'lead asks for more': () => say(LEAD_THREAD, { ...lead, kind: 'delegate', ask, time: 0 }),
    'lead speaks': () => remember('spoken'),
  }
  const play = (script: string): void => {
    for (const name of script.split(', ')) (acts[name] ?? assert.unreachable(name))?.()
  }
  return { run, conversation, play }
}

const rows: readonly [script: string, status: string, brief: string | null][] = [
  ['nothing', 'in_progress', null],
  ['task completes', 'completed', 'found it'],
  ['task fails', 'failed', 'The agent failed without a reason.'],
  ['task is cancelled, grace', 'cancelled', 'No need'],
  ['task is cancelled, task completes', 'completed', 'found it'],
  ['deadline, grace', 'timed_out', 'Execution timed out after 10 seconds'],
  ['task thread dies', 'failed', 'The thread that ran the agent was lost.'],
  ['run is cancelled, grace', 'cancelled', 'Cancelled by user'],
  ['runtime closes, grace', 'cancelled', 'The runtime was closed'],
  ['lead thread dies, grace', 'cancelled', 'The lead ended'],
  ['lead ends, grace', 'cancelled', 'The lead ended'],
  ['run is cancelled, grace, task completes', 'cancelled', 'Cancelled by user'],
]

for (const [script, status, brief] of rows) {
  test(`${script}: the ledger says ${status}`, () => {
    const { run, conversation, play } = scene()
    play(script)
    const ledger = conversation.ledger()
    assert.equal(
      ledger.map((row) => [row.id, row.run_id, row.status, row.result_brief]),
      [['c1', 'r', status, brief]],
    )
    assert.is(run.result === null, status === 'in_progress' || !/run|lead|runtime/.test(script))
    if (run.result)
      assert.not(
        ledger.some((row) => row.status === 'in_progress'),
        'nothing outlives its run',
      )
  })
}

test('what the lead asks for once the gate is closed neither starts nor stands in the ledger', () => {
  const { run, conversation, play } = scene()
  play('run is cancelled, lead asks for more, grace')
  assert.equal(
    conversation.ledger().map(({ id }) => id),
    ['c1'],
  )
  assert.equal([...run.tasks.keys()], ['c1'])
})

test('what a lead says is kept as long as it is the one that speaks', () => {
  const { conversation, play } = scene()
  play('lead speaks, run is cancelled, lead speaks, grace, lead speaks')
  assert.equal(conversation.entries, ['spoken', 'spoken'])
})

test.run()
