import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { NOTHING_RECALLED } from '../../src/contract/conversation.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import type { ThreadSettings } from '../../src/contract/settings.ts'
import { allocateControl } from '../../src/control/control.ts'
import type { Conversations } from '../../src/runtime/conversations/conversations.ts'
import { fixedSettings } from '../../src/runtime/live-settings.ts'
import { openRun } from '../../src/runtime/open-run.ts'
import { checkRunOptions } from '../../src/runtime/run-options.ts'
import { createRunSettings } from '../../src/runtime/settings.ts'
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

const options = { threadId: 'T', subagentEnabled: false }

const settingsOf = async () => {
  const { config } = await loadConfig({ config: {}, env: { OPENAI_API_KEY: 'k' } })
  const thread = { revision: 1, models: config.models, tools: [], mounts: [] } as unknown as ThreadSettings
  return createRunSettings(config, thread)
}

const opened = (interrupted: string | null) => ({
  conversation: memoryConversation(),
  recalled: NOTHING_RECALLED,
  interrupted,
})

const openings: readonly [what: string, open: Conversations['open'], refused: string | null, events: string][] = [
  ['a conversation', async () => opened(null), null, 'run_started'],
  ['one that was cut off', async () => opened('r0'), null, 'run_started warning'],
  ['one that is busy', async () => null, 'THREAD_BUSY: Another run is under way on thread T', 'run_started'],
  ['one that cannot be read', () => Promise.reject(new Error('EACCES')), 'INTERNAL: EACCES', 'run_started'],
]

for (const [what, open, refused, events] of openings) {
  test(`a run that opens ${what}: ${events}${refused === null ? '' : `, ${refused}`}`, async () => {
    const settings = await settingsOf()
    const run = { ...runOf('r'), settings }
    const asked = checkRunOptions('hi', options, settings)
    const live = fixedSettings(settings)
    const end = await openRun({ run, prompt: 'hi', options, asked, conversations: { open }, live })
    assert.is('code' in end ? `${end.code}: ${end.message}` : null, refused)
    assert.is(
      eventsOf(run)
        .map(({ type }) => type)
        .join(' '),
      events,
    )
  })
}

test.run()
