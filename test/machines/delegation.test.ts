import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor, type SnapshotFrom } from 'xstate'
import { type DelegationEvent, delegationMachine } from '../../machines/delegation.machine.ts'
import type { StopCause, TerminalStatus } from '../../src/contract/status.ts'
import { trapped, walk } from './walk.ts'

const causes: readonly StopCause[] = ['cancel', 'deadline', 'close']
const statuses: readonly TerminalStatus[] = ['completed', 'needs_input', 'cancelled', 'timed_out', 'failed']

/** What may happen to the delegation, by the word the rows use: a cause stops it, a status settles it. */
const happenings: Readonly<Record<string, DelegationEvent>> = {
  admitted: { type: 'ADMITTED' },
  started: { type: 'STARTED' },
  grace: { type: 'GRACE_OVER' },
  lost: { type: 'LOST' },
  ...Object.fromEntries(causes.map((cause) => [cause, { type: 'STOP', cause }])),
  ...Object.fromEntries(statuses.map((status) => [status, { type: 'SETTLED', status }])),
}

type Row = readonly [rule: string, happens: string, effects: string, status: TerminalStatus | null]

const rows: readonly Row[] = [
  ['waits until there is a place', 'started grace', '', null],
  ['is dispatched once it is admitted', 'admitted', 'dispatch', null],
  ['is dispatched once', 'admitted admitted started admitted', 'dispatch', null],
  ['ends as its agent says', 'admitted started completed', 'dispatch', 'completed'],
  ['may end with a question', 'admitted started needs_input', 'dispatch', 'needs_input'],
  ['may end before its start was noticed', 'admitted failed', 'dispatch', 'failed'],
  ['the first end is the end', 'admitted started completed failed lost cancel', 'dispatch', 'completed'],
  ['a stop of one that waits needs no thread', 'cancel', '', 'cancelled'],
  ['one that waits is lost with the last thread', 'lost', '', 'failed'],
  ['a stop only asks', 'admitted started cancel', 'dispatch askToStop', null],
  ['a stop may come before the start', 'admitted deadline started', 'dispatch askToStop', null],
  ['a second stop asks for nothing', 'admitted started deadline cancel close', 'dispatch askToStop', null],
  ['one that was asked ends itself', 'admitted started cancel completed', 'dispatch askToStop', 'completed'],
  ['is forced when the grace time is over', 'admitted started cancel grace', 'dispatch askToStop force', null],
  ['is forced once', 'admitted started cancel grace grace', 'dispatch askToStop force', null],
  ['a force is not an end, the swap is', 'admitted deadline grace timed_out', 'dispatch askToStop force', 'timed_out'],
  ['the agent may win against the force', 'admitted deadline grace completed', 'dispatch askToStop force', 'completed'],
  ['is declared lost with its thread', 'admitted started lost failed', 'dispatch declareLost', 'failed'],
  ['is declared lost before it started', 'admitted lost', 'dispatch declareLost', null],
  ['may have ended before its thread was lost', 'admitted lost completed', 'dispatch declareLost', 'completed'],
  [
    'when lost while asked, the stop came first',
    'admitted cancel lost cancelled',
    'dispatch askToStop force',
    'cancelled',
  ],
]

for (const [rule, happens, effects, status] of rows) {
  test(rule, () => {
    const done: string[] = []
    const log = (name: string) => () => void done.push(name)
    const actions = {
      dispatch: log('dispatch'),
      askToStop: log('askToStop'),
      force: log('force'),
      declareLost: log('declareLost'),
    }
    const actor = createActor(delegationMachine.provide({ actions }), { input: { agent: 1 } }).start()
    for (const word of happens.split(' ')) {
      const event = happenings[word]
      assert.ok(event, word)
      actor.send(event)
    }
    assert.is(done.join(' '), effects)
    assert.is(actor.getSnapshot().output?.status ?? null, status)
  })
}

type State = SnapshotFrom<typeof delegationMachine>

/** The end that an event makes from a live state, or `null` where the delegation goes on. */
const endOf = ({ value }: State, event: DelegationEvent): TerminalStatus | null => {
  if (value === 'queued') return event.type === 'STOP' ? 'cancelled' : event.type === 'LOST' ? 'failed' : null
  return event.type === 'SETTLED' ? event.status : null
}

const moves = walk(delegationMachine, { agent: 1 }, () => Object.values(happenings))
const live = moves.filter(({ from }) => from.status === 'active')
const ended = moves.filter(({ from }) => from.status === 'done')

test('from every state an end can be reached, and nothing goes wrong on the way', () => {
  assert.is(live.length + ended.length, moves.length)
  assert.equal(trapped(moves), [])
  assert.equal(new Set(ended.map(({ from }) => from.value)), new Set(statuses))
})

test('every move ends the delegation exactly as the rules say, in the state of that name', () => {
  for (const { from, event, to, name } of live) {
    const status = endOf(from, event)
    assert.equal(to.output ?? null, status && { status }, name)
    if (status) assert.is(to.value, status, name)
  }
})

test('the first cause of a stop is kept', () => {
  for (const { from, event, to, name } of live.filter(({ from }) => from.value !== 'queued')) {
    const first = event.type === 'STOP' ? event.cause : null
    assert.is(to.context.cause, from.context.cause ?? first, name)
  }
})

test('an end ignores everything', () => {
  for (const { isStill, name } of ended) assert.ok(isStill, name)
})

test.run()
