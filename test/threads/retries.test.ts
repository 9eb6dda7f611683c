import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { modelAt, scene } from '../support/runtime-scene.ts'
import { inTurns, latch } from '../support/runtime-script.ts'

/** Answers one after the other, whoever asks and whatever they have had so far. */
const inOrder = (...replies: readonly ScriptedReply[]) => {
  let asked = 0
  return () => replies[Math.min(asked++, replies.length - 1)] ?? {}
}

test(
  'text of an attempt that failed is discarded, and comes again under an id of its own',
  scene(
    { parts: { Lead: inOrder({ text: 'Hello the', chunks: 3, resetAfterChunks: 4 }, say('Hello there')) } },
    async ({ runtime, model }) => {
      const run = runtime.run('Lead')
      const events = await collect(run)
      assertLawful(events)
      assert.is((await run.result).text, 'Hello there')
      assert.is(model.requests.length, 2)
      const [discarded] = ofType(events, 'message_discarded')
      const deltas = ofType(events, 'message_delta')
      const textOf = (id: string | undefined) =>
        deltas
          .filter(({ message_id }) => message_id === id)
          .map(({ text }) => text)
          .join('')
      const [message] = ofType(events, 'message')
      assert.is(textOf(discarded?.message_id), 'Hello the')
      assert.is(textOf(message?.message.id), 'Hello there')
      assert.not.equal(discarded?.message_id, message?.message.id)
      const [warning] = ofType(events, 'warning')
      assert.is(warning?.code, 'retry')
      assert.match(warning?.message ?? '', /lost the connection; retry 1 of 2 in/)
      const types = events.map(({ type }) => type)
      assert.ok(types.indexOf('message_discarded') > types.indexOf('message_delta'))
      assert.ok(types.lastIndexOf('message_delta') > types.indexOf('message_discarded'))
    },
  ),
)

test(
  "a subagent's discarded text is told with its task, and only to who asked for its text",
  scene(
    {
      parts: {
        Lead: inTurns(callTools(call('task', { prompt: 'Sub' }, 'a')), say('done')),
        Sub: inOrder(
          { text: 'Hal', resetAfterChunks: 2 },
          say('Whole'),
          { text: 'Hal', resetAfterChunks: 2 },
          say('Whole'),
        ),
      },
    },
    async ({ runtime }) => {
      const told = await collect(runtime.run('Lead', { include: ['task_delta'] }))
      assert.equal(
        ofType(told, 'message_discarded').map(({ task_id }) => task_id),
        ['a'],
      )
      assert.equal(ofType(await collect(runtime.run('Lead')), 'message_discarded'), [])
    },
  ),
)

const models = (url: string) => [
  { ...modelAt(url), max_retries: 0, fallbacks: ['spare'] },
  { ...modelAt(url, 'spare') },
]

/** A run of a runtime whose model has a fallback. */
const withSpare = async (url: string) => {
  const { createRuntime } = await import('../../src/index.ts')
  const home = process.env['TROUPE_TEST_OUT'] ?? ''
  const runtime = await createRuntime({ config: { models: models(url) }, home })
  try {
    const run = runtime.run('Lead')
    const events = await collect(run)
    return { result: await run.result, events }
  } finally {
    await runtime.close()
  }
}

test(
  'a fallback answers when the model does not',
  scene(
    { parts: { Lead: ({ request }) => (request.body?.model === 'spare-model' ? say('spare') : { status: 503 }) } },
    async ({ model }) => {
      const { result, events } = await withSpare(model.url)
      assert.is(result.text, 'spare')
      assert.match(ofType(events, 'warning')[0]?.message ?? '', /HTTP 503 .*; trying model "spare"/)
    },
  ),
)

test(
  'what a fallback answered shows the name of the fallback, and what the model itself then answers its own',
  scene(
    {
      parts: {
        Lead: inTurns(callTools(call('task', { prompt: 'Sub' }, 'a')), say('done')),
        Sub: ({ turn, request }) => {
          const isSpare = request.body?.model === 'spare-model'
          if (turn === 0) return isSpare ? callTools(call('ls', { path: '/mnt' })) : { status: 503 }
          return isSpare ? { status: 500 } : say('own')
        },
      },
    },
    async ({ model }) => {
      const { result, events } = await withSpare(model.url)
      const [delegation] = result.delegations
      const running = ofType(events, 'task_running').map(({ model_name }) => model_name)
      assert.equal(running, ['spare', 'spare', 'main'])
      const ended = ofType(events, 'task_completed')[0]?.model_name
      assert.equal([delegation?.result, delegation?.model_name, ended], ['own', 'main', 'main'])
      assert.is(ofType(events, 'task_started')[0]?.model_name, 'main')
    },
  ),
)

test(
  'a blocked answer is a failure that keeps what was said, and its cost',
  scene(
    { parts: { Lead: () => ({ text: 'Here is how', finishReason: 'content_filter' }) } },
    async ({ runtime, model }) => {
      const { status, text, error, usage, turns } = await runtime.run('Lead').result
      assert.equal([status, text, turns, model.requests.length], ['failed', 'Here is how', 1, 1])
      assert.is(error?.code, 'MODEL_FAILED')
      assert.match(error?.message ?? '', 'content filter')
      assert.equal(Object.keys(error ?? {}), ['code', 'message'])
      assert.is(usage.total_tokens, 110)
    },
  ),
)

test(
  'a call cut at the output limit is answered with what to do, and its neighbours run',
  scene(
    {
      parts: {
        Lead: inTurns(
          {
            ...callTools(
              call('ls', { path: '/mnt/user-data' }, 'a'),
              call('write_file', '{"path":"/mnt/user-data/w', 'b'),
            ),
            finishReason: 'length',
          },
          ({ results }) => say(results.join('|')),
        ),
      },
    },
    async ({ runtime }) => {
      const { status, text } = await runtime.run('Lead').result
      assert.is(status, 'completed')
      assert.match(text.split('|')[1] ?? '', /^Error.*output limit.*in several parts/)
      assert.not.match(text.split('|')[0] ?? '', /^Error/)
    },
  ),
)

const asked = latch()

test(
  'a cancel ends the wait for a retry at once, and nothing more is sent',
  scene(
    {
      parts: {
        Lead: () => {
          asked.open()
          return { status: 429, headers: { 'retry-after': '30' } }
        },
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('Lead')
      await asked.opened
      await new Promise((next) => setTimeout(next, 100))
      const start = Date.now()
      run.cancel()
      assert.is((await run.result).status, 'cancelled')
      assert.ok(Date.now() - start < 500)
      assert.is(model.requests.length, 1)
    },
  ),
)

test(
  "a wait that would go past the agent's deadline fails at once, with the reason",
  scene(
    {
      parts: { Lead: () => ({ status: 429, headers: { 'retry-after': '30' } }) },
      config: { lead: { timeout_seconds: 10 } },
    },
    async ({ runtime }) => {
      const start = Date.now()
      const { status, error } = await runtime.run('Lead').result
      assert.is(status, 'failed')
      assert.match(error?.message ?? '', "a wait of 30 s would go past the agent's deadline")
      assert.ok(Date.now() - start < 2000)
    },
  ),
)

test.run()
