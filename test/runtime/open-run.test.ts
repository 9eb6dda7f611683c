import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunOptions } from '../../src/contract/api.ts'
import { NOTHING_RECALLED } from '../../src/contract/conversation.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import { allocateControl } from '../../src/control/control.ts'
import type { Conversations } from '../../src/runtime/conversations/conversations.ts'
import { fixedSettings } from '../../src/runtime/live-settings.ts'
import { openRun } from '../../src/runtime/open-run.ts'
import { checkRunOptions } from '../../src/runtime/run-options.ts'
import type { RunState } from '../../src/runtime/tracked.ts'
import { memoryConversation } from '../support/memory-conversation.ts'
import { runOf } from '../support/runtime-assignment.ts'
import { planOf, supervise } from '../support/supervised-run.ts'

const eventsOf = ({ log }: RunState): readonly RunEvent[] => {
  const cursor = { next: 1, wake: () => {} }
  const events: RunEvent[] = []
  for (let event = log.read(cursor); event; event = log.read(cursor)) events.push(event)
  return events
}

for (const cause of ['cancel', 'close'] as const) {
  test(`a run that is stopped while it opens (${cause}) ends once, without a place, and gives its conversation back`, () => {
    const { supervisor } = supervise(allocateControl(2, 2), () => {})
    const conversation = memoryConversation()
    const run = { ...runOf('r'), conversation }
    supervisor.stopRun(run, cause, 'enough')
    supervisor.stopRun(run, 'cancel', 'too late to count')
    supervisor.start(run, planOf(null, 1000))
    supervisor.stopRun(run, 'cancel', 'once more')
    assert.equal([run.lead?.status, run.lead?.ref], ['cancelled', null])
    assert.equal([run.result?.status, run.result?.error?.message], ['cancelled', 'enough'])
    assert.equal(
      eventsOf(run).map(({ type }) => type),
      ['run_finished'],
    )
    assert.equal(conversation.ends, ['cancelled'])
    assert.equal(supervisor.busy(), [])
  })
}

// As far as opening looks at settings.
const settings = {
  config: { lead: {}, agents: {}, subagents: { max_concurrent: 1, max_total_per_run: 1 } },
  thread: { models: [{ name: 'main' }], tools: [] },
  guards: { lead: null },
  catalog: [],
} as unknown as RunState['settings']

const OPTIONS = checkRunOptions('do it', { threadId: 'T', subagentEnabled: false }, settings)

const opened = (interrupted: string | null) => ({
  conversation: memoryConversation(),
  recalled: NOTHING_RECALLED,
  interrupted,
})

type Row = readonly [
  what: string,
  open: Conversations['open'],
  refused: string | null,
  events: string,
  notices?: readonly string[],
]

const openings: readonly Row[] = [
  ['a conversation', async () => opened(null), null, 'run_started'],
  ['one that was cut off', async () => opened('r0'), null, 'run_started warning'],
  ['one that is busy', async () => null, 'THREAD_BUSY: Another run is under way on thread T', 'run_started'],
  ['one that cannot be read', () => Promise.reject(new Error('EACCES')), 'INTERNAL: EACCES', 'run_started'],
  ['one under a config with notices', async () => opened(null), null, 'run_started warning warning', ['a', 'b']],
]

const openWith = (run: RunState, options: RunOptions, open: Conversations['open'], notices: readonly string[] = []) =>
  openRun({
    run,
    prompt: 'do it',
    options: { threadId: 'T', subagentEnabled: false, ...options },
    asked: OPTIONS,
    conversations: { open },
    live: { ...fixedSettings(settings), take: () => ({ settings, notices }) },
  })

const typesOf = (run: RunState): string =>
  eventsOf(run)
    .map(({ type }) => type)
    .join(' ')

for (const [what, open, refused, events, notices] of openings) {
  test(`a run that opens ${what}: ${events}${refused === null ? '' : `, ${refused}`}`, async () => {
    const run = runOf('r')
    const found = await openWith(run, {}, open, notices)
    assert.is('code' in found ? `${found.code}: ${found.message}` : null, refused)
    assert.is(typesOf(run), events)
    assert.is(run.settings, settings)
  })
}

test('a run whose model has gone with an edit of the config is refused, and touches no conversation', async () => {
  const run = runOf('r')
  const found = await openWith(run, { model: 'gone' }, () => assert.unreachable('was opened') as never, ['edited'])
  assert.equal(found, { code: 'OPTIONS_INVALID', message: 'model "gone" is not in models: main' })
  assert.is(typesOf(run), 'run_started warning')
})

test.run()
