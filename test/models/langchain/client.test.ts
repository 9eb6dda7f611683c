import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolSpec } from '../../../src/contract/tools.ts'
import { call, callTools, say } from '../../../src/testing/scripted-reply.ts'
import { wireErrors } from '../../support/wire-errors.ts'
import { ask, requestTo, until } from '../ask.ts'
import { text as textEvent } from '../sse.ts'
import { type Client, langChainClient, withClient } from './support.ts'

const FIXTURES = pathToFileURL('test/models/langchain/fixtures.mjs').href
const fixture = (name: string) => () => langChainClient({ url: FIXTURES, export: name })
const { scripts } = (await import(FIXTURES)) as {
  scripts: Record<string, (call: ScriptedCall) => AsyncIterable<object>>
}

interface ScriptedCall {
  readonly messages: readonly object[]
  readonly options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> }
  readonly tools: readonly object[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly caller: { readonly maxRetries: number }
}

const tool: ToolSpec = {
  name: 'read',
  description: 'Reads.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  placement: 'worker',
  timeoutMs: 1000,
  group: null,
  module: null,
}

const conversation = [
  { role: 'user', content: 'Hi \ud83e' },
  {
    role: 'assistant',
    id: 'm1',
    content: '',
    toolCalls: [
      { id: 'a', name: 'read', args: { path: 'x' } },
      { id: 'b', name: 'read', args: {}, invalid: 'cut off' },
    ],
  },
  { role: 'tool', id: 'm2', toolCallId: 'a', name: 'read', content: 'X', status: 'success' },
  { role: 'tool', id: 'm3', toolCallId: 'b', name: 'read', content: 'Error', status: 'error' },
] as const

test('what is sent is what strict providers take, with key, trace and tools', () =>
  withClient(
    langChainClient,
    () => say('ok'),
    async (client, { url, requests }) => {
      const request = {
        messages: conversation,
        data: 'Kept.',
        note: 'And now?',
        tools: [tool],
        toolChoice: 'none',
      } as const
      await ask(client.stream, requestTo(client.settings(url), request))
      const { headers, body } = requests[0] ?? {}
      const messages = body?.messages ?? []
      assert.equal(wireErrors(messages as Parameters<typeof wireErrors>[0]), [])
      assert.is(messages.map(({ role }) => role).join(), 'system,user,user,assistant,tool,tool,user')
      assert.is(headers?.authorization, 'Bearer sk-secret-key')
      assert.is(headers?.['traceparent'], requestTo(client.settings(url)).traceparent)
      assert.equal([body?.stream, body?.stream_options?.include_usage], [true, true])
      assert.is((body as { tool_choice?: unknown }).tool_choice, 'none')
      const { name, description, parameters } = tool
      assert.equal(JSON.parse(JSON.stringify(body?.tools)), [
        { type: 'function', function: { name, description, parameters } },
      ])
    },
  ))

test('without a key none is sent', () =>
  withClient(
    langChainClient,
    () => say('ok'),
    async (client, { url, requests }) => {
      assert.is((await ask(client.stream, requestTo(client.settings(url, { apiKey: null })))).reply?.text, 'ok')
      assert.is(requests[0]?.headers.authorization, undefined)
    },
  ))

test('text as it streams, then the calls', () =>
  withClient(
    langChainClient,
    () => ({
      text: 'Let me look',
      chunks: 3,
      ...callTools(call('read', { path: 'x' }, 'a'), call('read', '{"p', 'b')),
    }),
    async (client, { url }) => {
      const { texts, reply } = await ask(client.stream, requestTo(client.settings(url), { tools: [tool] }))
      assert.is(texts.join(''), 'Let me look')
      assert.is(texts.length, 3)
      assert.equal(reply?.toolCalls[0], { id: 'a', name: 'read', args: { path: 'x' } })
      assert.match(reply?.toolCalls[1]?.invalid ?? '', 'probably cut off')
      assert.equal(reply?.usage, { input_tokens: 100, output_tokens: 10, total_tokens: 110 })
    },
  ))

const failures = [
  [
    'a refused key',
    { status: 401, body: { error: { message: 'Bad key sk-secret-key' } } },
    401,
    false,
    'Bad key [api_key]',
  ],
  [
    'too many requests',
    { status: 429, headers: { 'retry-after': '7' }, body: { error: 'slow' } },
    429,
    true,
    'HTTP 429',
  ],
  ['an overloaded server', { status: 503, raw: 'down' }, 503, true, 'HTTP 503 Service Unavailable: down'],
  ['a reset before the answer', { resetAfterChunks: 0 }, null, true, 'connection'],
  ['a reset inside the answer', { text: 'Hello', resetAfterChunks: 2 }, null, true, 'lost the connection'],
  ['a stream that just ends', { raw: textEvent('Hello') }, null, true, 'cut short'],
  ['an error inside the answer', { raw: 'data: {"error":{"message":"no","code":502}}\n\n' }, 502, true, 'no (502)'],
] as const
for (const [name, reply, status, retryable, words] of failures)
  test(`${name}: one request, and a failure with its fields`, () =>
    withClient(
      langChainClient,
      () => reply,
      async (client, { url, requests }) => {
        const { error } = await ask(client.stream, requestTo(client.settings(url)))
        assert.is(error?.code, 'MODEL_FAILED')
        assert.ok(error?.message.includes(words), error?.message)
        assert.equal([error?.status, error?.retryable], [status, retryable])
        assert.is(error?.retryAfterMs, name === 'too many requests' ? 7000 : null)
        await new Promise((next) => setTimeout(next, 50))
        assert.is(requests.length, 1, 'it does not retry by itself')
      },
    ))

test('nothing listens', async () => {
  let host = ''
  await withClient(
    langChainClient,
    () => say('no'),
    async (_, { url }) => {
      host = new URL(url).host
    },
  )
  const client = langChainClient()
  const { error } = await ask(client.stream, requestTo(client.settings(`http://${host}/v1`)))
  assert.is(error?.retryable, true)
  assert.is(error?.message, `Model "main": nothing listens at ${host} (ECONNREFUSED; see base_url)`)
})

test('an address that is refused before anything is sent says why', async () => {
  const client = langChainClient()
  const { error } = await ask(client.stream, requestTo(client.settings('http://127.0.0.1:1/v1')))
  assert.match(error?.message ?? '', 'bad port')
})

for (const [name, limits, reply, words] of [
  ['a stall', { streamIdleTimeoutMs: 200 }, { text: 'Hello', stallAfterChunks: 2 }, 'stream_idle_timeout_seconds'],
  ['no answer', { firstByteTimeoutMs: 200 }, { stallAfterChunks: 0 }, 'first_byte_timeout_seconds'],
  ['no end', { timeoutMs: 300 }, { text: 'abcdefghij', chunks: 10, chunkMs: 60 }, 'timeout_seconds'],
] as const)
  test(`limits: ${name}`, () =>
    withClient(
      langChainClient,
      () => reply,
      async (client, { url, requests }) => {
        const { error } = await ask(client.stream, requestTo(client.settings(url, limits)))
        assert.ok(error?.message.includes(words), error?.message)
        await until(() => requests[0]?.state === 'closed')
      },
    ))

for (const [name, when] of [
  ['before the answer', { stallAfterChunks: 0 }],
  ['during the answer', { text: 'Hello there', chunks: 5, stallAfterChunks: 3 }],
] as const)
  test(`an abort ${name} closes the socket, and nothing is heard after it`, () =>
    withClient(
      langChainClient,
      () => when,
      async (client, { url, requests, inFlight }) => {
        const heard: string[] = []
        const stray = (reason: unknown): void => void heard.push(`stray ${reason}`)
        process.on('unhandledRejection', stray)
        const abort = client.stream(requestTo(client.settings(url)), {
          text: (delta) => heard.push(delta),
          done: () => heard.push('done'),
          failed: () => heard.push('failed'),
        })
        await until(() => inFlight() === 1 && (heard.length > 0 || !('chunks' in when)))
        const before = heard.length
        abort()
        await until(() => requests[0]?.state === 'closed')
        await new Promise((next) => setTimeout(next, 50))
        process.off('unhandledRejection', stray)
        assert.is(heard.length, before)
      },
    ))

test('it connects to base_url and nowhere else, also where usage is missing and the model wants to count', () =>
  withClient(
    langChainClient,
    () => ({ text: 'ok', usage: null }),
    async (client, { url }) => {
      const connected = new Set<string>()
      const { connect } = Socket.prototype
      Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
        const [options] = args.flat() as [{ readonly host?: string; readonly port?: number | string }]
        connected.add(`${options?.host}:${options?.port}`)
        return Reflect.apply(connect, this, args) as Socket
      } as typeof connect
      try {
        const clients: readonly Client[] = [client, fixture('streaming')()]
        for (const { stream, settings } of clients) {
          assert.is((await ask(stream, requestTo(settings(url)))).reply?.text, 'ok')
          assert.is((await ask(stream, requestTo(settings(url), { tools: [tool] }))).reply?.usage, null)
        }
        await new Promise((next) => setTimeout(next, 100))
      } finally {
        Socket.prototype.connect = connect
      }
      assert.equal([...connected], [new URL(url).host])
    },
  ))

async function* chunks(...list: readonly object[]): AsyncGenerator<object> {
  yield* list
}

const scripted = (
  name: string,
  script: (call: ScriptedCall) => AsyncIterable<object>,
  tools: readonly ToolSpec[] = [],
) => {
  scripts[name] = script
  const client = fixture('Scripted')()
  return ask(client.stream, requestTo(client.settings('', { model: name }), { tools, messages: conversation }))
}

test('a model of another provider: blocks of content, calls in pieces, usage that is counted bit by bit', async () => {
  const { texts, reply } = await scripted('other', () =>
    chunks(
      {
        content: [{ type: 'text', text: 'Hel' }],
        usage_metadata: { input_tokens: 100, output_tokens: 1, total_tokens: 101 },
      },
      { content: 'lo' },
      {
        content: [{ type: 'thinking', thinking: 'no' }],
        tool_call_chunks: [{ index: 1, id: 'a', name: 'read', args: '{"p":' }],
      },
      { content: '', tool_call_chunks: [{ index: 1, args: '1}' }], additional_kwargs: { stop_reason: 'tool_use' } },
      { content: '', usage_metadata: { input_tokens: 0, output_tokens: 9, total_tokens: 9 } },
    ),
  )
  assert.equal(texts, ['Hel', 'lo'])
  assert.is(reply?.text, 'Hello')
  assert.equal(reply?.toolCalls, [{ id: 'a', name: 'read', args: { p: 1 } }])
  assert.is(reply?.finishReason, 'tool_use')
  assert.equal(reply?.usage, { input_tokens: 100, output_tokens: 10, total_tokens: 110 })
})

test('a model that answers whole, with a call that LangChain could not read', async () => {
  const { reply } = await scripted('whole', () =>
    chunks({
      content: 'x',
      tool_calls: [{ id: 'a', name: 'read', args: { p: 1 } }],
      invalid_tool_calls: [{ id: 'b', name: 'read', args: '{"p"', error: 'bad' }],
    }),
  )
  assert.equal(reply?.toolCalls[0], { id: 'a', name: 'read', args: { p: 1 } })
  assert.match(reply?.toolCalls[1]?.invalid ?? '', 'cannot be read')
})

test("it is given the settings, a signal of its own, the tools in OpenAI's form, and no retries", async () => {
  let seen: ScriptedCall | undefined
  await scripted(
    'seen',
    (given) => {
      seen = given
      return chunks({ content: 'x' })
    },
    [tool],
  )
  assert.equal(
    [seen?.fields['model'], seen?.fields['apiKey'], seen?.fields['maxRetries']],
    ['seen', 'sk-secret-key', 0],
  )
  assert.is(seen?.fields['streaming'], undefined)
  assert.ok(seen?.options.signal instanceof AbortSignal)
  const { name, description, parameters } = tool
  assert.equal(seen?.tools, [{ type: 'function', function: { name, description, parameters } }])
  assert.is(seen?.messages.length, 5)
})

const throwing = [
  ['a status', Object.assign(new Error('busy'), { status: 529, headers: { 'retry-after': '3' } }), true, 529, 3000],
  ['a status code', Object.assign(new Error('no'), { statusCode: 404 }), false, 404, null],
  [
    'a lost connection below',
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
    true,
    null,
    null,
  ],
  ['a bare "terminated"', new TypeError('terminated'), true, null, null],
  ['a bug', new TypeError('x is not a function'), false, null, null],
  ['no error at all', undefined, false, null, null],
] as const
for (const [name, thrown, retryable, status, retryAfterMs] of throwing)
  test(`a model that throws: ${name}`, async () => {
    const { error } = await scripted('throws', () => {
      throw thrown
    })
    assert.equal([error?.retryable, error?.status, error?.retryAfterMs], [retryable, status, retryAfterMs])
  })

test('nothing at all is a failure that may pass', async () => {
  const { error } = await scripted('silent', () => chunks())
  assert.equal(
    [error?.retryable, error?.message],
    [true, 'Model "main": the endpoint answered without any content (see base_url)'],
  )
})

test('a model that is ready made, and one that a function makes', async () => {
  for (const [name, model] of [
    ['ready', 'ready'],
    ['make', 'made'],
  ] as const) {
    scripts[model] = ({ caller }) => chunks({ content: `${model} ${caller.maxRetries}` })
    const client = fixture(name)()
    assert.is((await ask(client.stream, requestTo(client.settings('')))).reply?.text, `${model} 0`)
  }
})

for (const [name, words] of [
  ['missing', "use cannot be loaded: the module has no export 'missing'; it exports Other, Scripted, make, "],
  ['nothing', "use cannot be loaded: the export 'nothing' is no LangChain chat model"],
  ['makesNothing', "use cannot be loaded: the export 'makesNothing' is no LangChain chat model"],
  ['Other', "use cannot be loaded: the export 'Other' is no LangChain chat model"],
  ['withoutTools', 'it has no bindTools'],
] as const)
  test(`an export that cannot serve: ${name}`, async () => {
    const client = fixture(name)()
    const { error } = await ask(client.stream, requestTo(client.settings(''), { tools: [tool] }))
    assert.ok(error?.message.includes(words), error?.message)
    assert.is(error?.retryable, false)
    assert.not.match(error?.message ?? '', 'base_url')
  })

test('a module that is not there is no matter of the endpoint', async () => {
  const { stream, settings: settingsFor } = langChainClient({ url: 'file:///no/such/module.mjs', export: 'Chat' })
  const { error } = await ask(stream, requestTo(settingsFor('')))
  assert.match(error?.message ?? '', /^Model "main": its use cannot be loaded: Cannot find module/)
  assert.not.match(error?.message ?? '', 'base_url')
  assert.is(error?.retryable, false)
})

test.run()
