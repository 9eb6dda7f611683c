import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { collect, ofType } from '../support/runtime-events.ts'
import { scene } from '../support/runtime-scene.ts'
import { inTurns } from '../support/runtime-script.ts'

const PAUSE_MS = 1000
const tooFast: ScriptedReply = { status: 429, headers: { 'retry-after': '1' }, body: { error: 'slow down' } }

/** One place a thread, so that two subagents at once are on two threads. */
const config = { runtime: { threads: 2, agents_per_thread: 1 } }

let refusals = 0
const parts = {
  Lead: inTurns(
    callTools(call('task', { prompt: 'Hasty' }, 'a'), call('task', { prompt: 'Patient' }, 'b')),
    say('done'),
  ),
  Hasty: () => (refusals++ === 0 ? { ...tooFast, delayMs: 150 } : say('hasty')),
  // Answers while the other is paused, and would go on at once.
  Patient: inTurns({ ...callTools(call('ls', { path: '/mnt/user-data' })), delayMs: 400 }, say('patient')),
}

test(
  'one refusal for haste pauses all who use that key, on every thread',
  scene({ parts, config }, async ({ runtime, model }) => {
    const run = runtime.run('Lead')
    const events = await collect(run)
    assert.equal(
      (await run.result).delegations.map(({ status, result }) => [status, result]),
      [
        ['completed', 'hasty'],
        ['completed', 'patient'],
      ],
    )
    const refusedAt = model.requests.find(
      ({ endedAt, body }) => endedAt && JSON.stringify(body).includes('Hasty'),
    )?.endedAt
    const later = model.requests.filter(({ time }) => time > (refusedAt ?? 0))
    assert.is(later.length, 3, 'hasty again, patient, lead')
    for (const { time, body } of later)
      assert.ok(
        time >= (refusedAt ?? 0) + PAUSE_MS - 50,
        `${time - (refusedAt ?? 0)} ms: ${JSON.stringify(body?.messages)}`,
      )
    assert.equal(
      ofType(events, 'warning').map(({ code, task_id }) => [code, task_id]),
      [['retry', 'a']],
    )
    assert.is(runtime.stats().threads.alive, 2)
  }),
)

test.run()
