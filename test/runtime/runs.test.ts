import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { NOTHING_RECALLED } from '../../src/contract/conversation.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { fixedSettings } from '../../src/runtime/live-settings.ts'
import { createRuns } from '../../src/runtime/runs.ts'
import type { RunSettings } from '../../src/runtime/settings.ts'
import type { Supervisor } from '../../src/runtime/supervisor.ts'
import { memoryConversation } from '../support/memory-conversation.ts'

const fault = (): never => {
  throw new Error('a fault of ours')
}

const settingsWith = (mounts: () => readonly never[]): RunSettings =>
  ({
    config: { lead: {}, agents: {}, subagents: { max_concurrent: 1, max_total_per_run: 1 } },
    thread: {
      models: [{ name: 'main' }],
      tools: [{ name: 'ls', group: 'file' }],
      get mounts() {
        return mounts()
      },
    },
    guards: { lead: null, ofLead: () => null },
    catalog: [],
    tool: () => ({ group: 'file' }),
  }) as unknown as RunSettings

const faults = [
  { where: 'where its lead is planned', mounts: fault, start: () => {} },
  { where: 'where its lead is started', mounts: () => [], start: fault },
]

for (const { where, mounts, start } of faults) {
  test(`a fault of ours ${where} is the end of the run, and gives its conversation back`, async () => {
    const conversation = memoryConversation()
    const opened = { conversation, recalled: NOTHING_RECALLED, interrupted: null }
    const busy: boolean[] = []
    const runs = createRuns({
      clock: systemClock,
      conversations: { open: async () => opened },
      supervisor: { start } as unknown as Supervisor,
      onBusy: (isBusy) => busy.push(isBusy),
    })
    const run = runs.start('do it', { subagentEnabled: false }, fixedSettings(settingsWith(mounts)))
    const types: string[] = []
    for await (const { type } of run) types.push(type)
    const { status, error } = await run.result
    assert.equal([status, error], ['failed', { code: 'INTERNAL', message: 'a fault of ours' }])
    assert.equal(types, ['run_started', 'run_finished'])
    assert.equal([conversation.ends, runs.active(), busy], [['failed'], [], [true, false]])
  })
}

test.run()
