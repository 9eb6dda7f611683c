import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ModelSettings } from '../../src/contract/settings.ts'
import { createChatCompletions } from '../../src/models/chat-completions.ts'
import { call, callTools, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { ask, requestTo, settings, withModel } from './ask.ts'

const counted = { input_tokens: 100, output_tokens: 10, total_tokens: 110 }

test('text as it streams, then the reply', () =>
  withModel(
    () => ({ text: 'Hello, world', chunks: 3 }),
    async (stream, { url }) => {
      const { texts, reply } = await ask(stream, requestTo(settings(url)))
      assert.equal(texts, ['Hell', 'o, w', 'orld'])
      assert.equal(reply, {
        id: 'chatcmpl-0',
        text: 'Hello, world',
        toolCalls: [],
        finishReason: 'stop',
        refusal: '',
        reasoning: null,
        usage: counted,
        incomplete: null,
      })
    },
  ))

test('parallel tool calls', () =>
  withModel(
    () => ({ ...callTools(call('read', { path: 'ä.txt' }, 'a'), call('ping'), call('bad', '{"x')), chunks: 4 }),
    async (stream, { url }) => {
      const { reply } = await ask(stream, requestTo(settings(url)))
      assert.equal(reply?.toolCalls.slice(0, 2), [
        { id: 'a', name: 'read', args: { path: 'ä.txt' } },
        { id: 'call_2', name: 'ping', args: {} },
      ])
      assert.match(reply?.toolCalls[2]?.invalid ?? '', 'probably cut off')
      assert.is(reply?.finishReason, 'tool_calls')
    },
  ))

test('what is sent', () =>
  withModel(
    () => say('ok'),
    async (stream, { url, requests }) => {
      const messages = [{ role: 'user', content: 'Grüße 🦌' }] as const
      await ask(stream, requestTo(settings(url), { messages }))
      const { headers, body } = requests[0] ?? {}
      assert.is(headers?.authorization, 'Bearer sk-secret-key')
      assert.is(headers?.['traceparent'], requestTo(settings(url)).traceparent)
      assert.is(headers?.['content-type'], 'application/json')
      assert.is(headers?.host, new URL(url).host)
      assert.is(Number(headers?.['content-length']), Buffer.byteLength(JSON.stringify(body)))
      assert.equal(body?.messages?.[1], messages[0])
    },
  ))

const keys: readonly (readonly [string | null, string | undefined])[] = [
  [null, undefined],
  ['', undefined],
  ['sk-1\n', 'Bearer sk-1'],
]
for (const [apiKey, sent] of keys)
  test(`the key ${JSON.stringify(apiKey)}`, () =>
    withModel(
      () => say('ok'),
      async (stream, { url, requests }) => {
        await ask(stream, requestTo(settings(url, { apiKey })))
        assert.is(requests[0]?.headers.authorization, sent)
      },
    ))

test('base_url with a slash at its end and with a query', () =>
  withModel(
    () => say('ok'),
    async (stream, { url }) => {
      for (const baseUrl of [`${url}/`, `${url}?api-version=1`])
        assert.is((await ask(stream, requestTo(settings(baseUrl)))).reply?.text, 'ok')
    },
  ))

const here = 'http://127.0.0.1:1/v1'
const unusable: readonly (readonly [Partial<ModelSettings>, string, string])[] = [
  [
    { baseUrl: 'nonsense' },
    'MODEL_FAILED',
    'Model "main": base_url is not a URL: it must begin with http:// or https://',
  ],
  [{ baseUrl: 'ftp://host/v1' }, 'MODEL_FAILED', 'base_url begins with ftp: and must begin with http:// or https://'],
  [{ apiKey: 'sk-ключ' }, 'MODEL_FAILED', 'api_key holds a character that cannot be sent'],
  [
    { unset: { variable: 'OPENAI_API_KEY', path: 'models.0.api_key' } },
    'ENV_UNSET',
    'Model "main" needs the environment variable OPENAI_API_KEY, which is not set (named at models.0.api_key)',
  ],
  [
    { unset: { variable: 'OPENAI_BASE_URL', path: 'models.0.base_url' } },
    'ENV_UNSET',
    'OPENAI_BASE_URL, which is not set (named at models.0.base_url; left out, base_url is https://api.openai.com/v1)',
  ],
]
for (const [changes, code, words] of unusable)
  test(`settings that cannot work: ${words}`, async () => {
    const { stream } = createChatCompletions()
    const { error } = await ask(stream, requestTo(settings(here, changes)))
    assert.is(error?.code, code)
    assert.ok(error?.message.includes(words), error?.message)
    assert.not.match(error?.message ?? '', 'ключ')
  })

test('a call that cannot work is heard of only after its abort was returned, and not after the abort', async () => {
  const { stream } = createChatCompletions()
  const heard: string[] = []
  const sink = { text: () => {}, done: () => {}, failed: () => heard.push('failed') }
  stream(requestTo(settings('nonsense')), sink)
  assert.equal(heard, [])
  stream(requestTo(settings('nonsense')), sink)()
  await new Promise((next) => setTimeout(next, 10))
  assert.equal(heard, ['failed'])
})

const refusals: readonly (readonly [string, ScriptedReply, string])[] = [
  [
    'a refused key that the provider repeats',
    {
      status: 401,
      body: { error: { message: 'Incorrect API key provided: sk-secret-key.', code: 'invalid_api_key' } },
    },
    'Model "main": HTTP 401 Unauthorized: Incorrect API key provided: [api_key]. (invalid_api_key) (see api_key)',
  ],
  [
    'too many requests',
    { status: 429, body: { error: 'Slow down' } },
    'Model "main": HTTP 429 Too Many Requests: Slow down',
  ],
  ['a fault of the server', { status: 500, raw: 'boom' }, 'Model "main": HTTP 500 Internal Server Error: boom'],
  ['an error page without end', { status: 500, raw: 'x'.repeat(2 ** 21) }, 'HTTP 500 Internal Server Error: xxxx'],
  ['a script that throws', { status: 500, body: { error: { message: 'no' } }, delayMs: 5 }, 'no'],
  ['no content', { status: 204 }, 'the endpoint answered without any content'],
]
for (const [name, reply, words] of refusals)
  test(name, () =>
    withModel(
      () => reply,
      async (stream, { url }) => {
        const { error } = await ask(stream, requestTo(settings(url)))
        assert.is(error?.code, 'MODEL_FAILED')
        assert.ok(error?.message.includes(words), error?.message)
        assert.ok((error?.message.length ?? 0) < 700)
      },
    ),
  )

test('an error inside a stream ends the call at once', () =>
  withModel(
    () => ({ raw: ['data: {"error":{"message":"quota exceeded"}}\n\n', 'data: [DONE]\n\n'], stallAfterChunks: 1 }),
    async (stream, { url }) =>
      assert.match((await ask(stream, requestTo(settings(url)))).error?.message ?? '', 'quota exceeded'),
  ))

test.run()
