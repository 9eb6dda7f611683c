import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'

const withServer = async (
  reply: ScriptedModelOptions['reply'],
  work: (server: ScriptedModel) => Promise<void>,
): Promise<void> => {
  const server = await startScriptedModel({ reply })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

const post = (url: string, body: object, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init })

const events = async (response: Response) =>
  (await response.text())
    .split('\n\n')
    .filter((part) => part !== '' && part !== 'data: [DONE]')
    .map((part) => JSON.parse(part.slice(6)))

test('an answer sent whole', () =>
  withServer(
    () => ({ ...callTools(call('read', { p: 1 })), text: 'Look.' }),
    async ({ url }) => {
      const { choices, usage, model } = JSON.parse(await (await post(url, { model: 'm' })).text())
      assert.equal(choices, [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Look.',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ])
      assert.equal([usage, model], [{ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }, 'm'])
    },
  ))

test('an answer as a stream', () =>
  withServer(
    () => ({ text: 'ab🦌d', chunks: 4, finishReason: 'length' }),
    async ({ url }) => {
      const response = await post(url, { stream: true, stream_options: { include_usage: true } })
      assert.is(response.headers.get('content-type'), 'text/event-stream')
      const list = await events(response)
      assert.equal(
        list.map(({ choices }) => choices[0]?.delta.content),
        ['', 'a', 'b', '🦌', 'd', undefined, undefined],
      )
      assert.is(list.at(-2).choices[0].finish_reason, 'length')
      assert.is(list.at(-1).usage.total_tokens, 110)
    },
  ))

const usages: readonly (readonly [string, ScriptedReply, object, number | undefined])[] = [
  ['not asked for', say('x'), { stream: true }, undefined],
  ['not counted', { text: 'x', usage: null }, { stream: true, stream_options: { include_usage: true } }, undefined],
  ['given', { usage: { input: 1, output: 2 } }, { stream: true, stream_options: { include_usage: true } }, 3],
]
for (const [name, reply, body, total] of usages)
  test(`usage ${name}`, () =>
    withServer(
      () => reply,
      async ({ url }) => assert.is((await events(await post(url, body))).at(-1).usage?.total_tokens, total),
    ))

const others: readonly (readonly [string, ScriptedModelOptions['reply'], number, string])[] = [
  ['an error', () => ({ status: 429, headers: { 'retry-after': '2' }, body: { error: 'no' } }), 429, '{"error":"no"}'],
  ['an error without a body', () => ({ status: 500 }), 500, '{}'],
  ['raw bytes', () => ({ raw: [Buffer.from('da'), 'ta: x\n\n'] }), 200, 'data: x\n\n'],
  [
    'a script that throws',
    () => {
      throw new Error('nothing left')
    },
    500,
    '{"error":{"message":"the script threw: Error: nothing left"}}',
  ],
  ['a script that takes its time', async () => ({ status: 418, body: 1 }), 418, '1'],
]
for (const [name, reply, status, body] of others)
  test(name, () =>
    withServer(reply, async ({ url }) => {
      const response = await post(url, { stream: true })
      assert.equal([response.status, await response.text()], [status, body])
    }),
  )

test('records what was asked and how it ended', () =>
  withServer(
    ({ index }) => (index === 0 ? say('ok') : { stallAfterChunks: 0 }),
    async ({ url, requests, inFlight }) => {
      await (await post(url, { model: 'm' }, { headers: { 'x-test': 'yes' } })).text()
      const controller = new AbortController()
      const stalled = post(url, {}, { signal: controller.signal }).catch(() => 'aborted')
      while (inFlight() === 0) await new Promise((next) => setTimeout(next, 2))
      assert.is(requests[1]?.state, 'open')
      controller.abort()
      await stalled
      while (inFlight() > 0) await new Promise((next) => setTimeout(next, 2))
      assert.equal([requests[0]?.body?.model, requests[0]?.headers['x-test']], ['m', 'yes'])
      assert.equal(
        requests.map(({ state }) => state),
        ['answered', 'closed'],
      )
      assert.ok(requests.every(({ time, endedAt }) => endedAt !== null && endedAt >= time))
    },
  ))

test('a stall leaves what came before it, a reset breaks the stream', () =>
  withServer(
    () => ({ text: 'Hello', resetAfterChunks: 2 }),
    async ({ url }) => {
      const response = await post(url, { stream: true })
      const fault = await response.text().catch((error) => error)
      assert.instance(fault, Error)
    },
  ))

test('a port that is taken rejects', () =>
  withServer(
    () => say(''),
    async ({ url }) => {
      const port = Number(new URL(url).port)
      const fault = await startScriptedModel({ reply: () => say(''), port }).catch(({ code }) => code)
      assert.is(fault, 'EADDRINUSE')
    },
  ))

test.run()
