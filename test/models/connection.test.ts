import { createServer, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChatCompletions } from '../../src/models/chat-completions.ts'
import { say } from '../../src/testing/scripted-reply.ts'
import { ask, requestTo, settings, until, withModel } from './ask.ts'
import { stop, text } from './sse.ts'

/** A server that sees sockets and bytes. */
const withSockets = async (
  onRequest: (socket: Socket, count: number) => void,
  work: (url: string, sockets: readonly Socket[]) => Promise<void>,
): Promise<void> => {
  const sockets: Socket[] = []
  let count = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', () => onRequest(socket, ++count))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  try {
    await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`, sockets)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  }
}

const answerOf = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const hello = answerOf(text('Hello') + stop)

test('calls in turn share one socket, also those sent from inside the answer of another', () =>
  withSockets(
    (socket) => socket.write(hello),
    async (url, sockets) => {
      const client = createChatCompletions()
      const request = requestTo(settings(url))
      await new Promise<void>((finished) => {
        let left = 20
        const next = (): void => {
          if (left-- === 0) finished()
          else
            client.stream(request, { text: () => {}, done: next, failed: ({ message }) => assert.unreachable(message) })
        }
        next()
      })
      assert.is(sockets.length, 1)
      client.close()
      await until(() => sockets[0]?.destroyed === true)
    },
  ))

for (const [name, when] of [
  ['before the answer', { stallAfterChunks: 0 }],
  ['during the answer', { text: 'Hello there', chunks: 5, stallAfterChunks: 3 }],
] as const)
  test(`an abort ${name} closes the socket, and nothing is heard after it`, () =>
    withModel(
      () => when,
      async (stream, { url, requests, inFlight }) => {
        const heard: string[] = []
        const abort = stream(requestTo(settings(url)), {
          text: (delta) => heard.push(delta),
          done: () => heard.push('done'),
          failed: () => heard.push('failed'),
        })
        await until(() => inFlight() === 1 && heard.length === ('chunks' in when ? 2 : 0))
        const before = heard.length
        abort()
        abort()
        await until(() => requests[0]?.state === 'closed')
        await new Promise((next) => setTimeout(next, 20))
        assert.is(heard.length, before)
      },
    ))

test('an abort from inside a text ends the rest of the same packet', () =>
  withModel(
    () => ({ raw: text('one') + text('two') + stop }),
    async (stream, { url }) => {
      const heard: string[] = []
      const abort = stream(requestTo(settings(url)), {
        text: (delta) => {
          heard.push(delta)
          abort()
        },
        done: () => heard.push('done'),
        failed: () => heard.push('failed'),
      })
      await new Promise((next) => setTimeout(next, 50))
      assert.equal(heard, ['one'])
    },
  ))

test('an abort before the request has left', () =>
  withModel(
    () => say('no'),
    async (stream, { url, requests }) => {
      stream(requestTo(settings(url)), {
        text: () => assert.unreachable(),
        done: () => assert.unreachable(),
        failed: () => assert.unreachable(),
      })()
      await new Promise((next) => setTimeout(next, 30))
      assert.is(requests.length, 0)
    },
  ))

test('an answer larger than the bound', async () => {
  const line = Buffer.from(text('x'.repeat(2 ** 20)))
  await withModel(
    () => ({ raw: Array.from({ length: 20 }, () => line) }),
    async (stream, { url, requests }) => {
      const { error } = await ask(stream, requestTo(settings(url)))
      assert.is(error?.message, 'Model "main": the answer is larger than 16 MiB')
      await until(() => requests[0]?.state === 'closed')
    },
  )
})

test('one line of 15 MiB in small pieces is read in linear time', async () => {
  const line = Buffer.from(text('x'.repeat(15 * 2 ** 20)) + stop)
  await withModel(
    () => ({ raw: line }),
    async (stream, { url }) =>
      assert.is((await ask(stream, requestTo(settings(url)))).reply?.text.length, 15 * 2 ** 20),
  )
})

const idle = { streamIdleTimeoutMs: 150 }
const keepAlive = { raw: Array.from({ length: 20 }, () => [': keep', '-alive\r\n\r\n']).flat(), chunkMs: 20 }
for (const [name, limits, when, words] of [
  ['a stall', idle, { text: 'Hello', stallAfterChunks: 2 }, 'nothing came for 0.15 s (stream_idle_timeout_seconds)'],
  [
    'an answer that does not begin',
    { firstByteTimeoutMs: 150 },
    { stallAfterChunks: 0 },
    'no answer began within 0.15 s (first_byte_timeout_seconds)',
  ],
  [
    'comments alone',
    { firstByteTimeoutMs: 150 },
    keepAlive,
    'no answer began within 0.15 s (first_byte_timeout_seconds)',
  ],
  [
    'comments after the answer began',
    idle,
    { raw: [text('Hello'), ...keepAlive.raw], chunkMs: 20 },
    'nothing came for 0.15 s (stream_idle_timeout_seconds)',
  ],
  [
    'an answer that goes on and on',
    { timeoutMs: 300 },
    { text: 'Hello there, friend', chunks: 19, chunkMs: 50 },
    'the answer took longer than 0.3 s (timeout_seconds)',
  ],
] as const)
  test(`limits: ${name}`, () =>
    withModel(
      () => when,
      async (stream, { url, requests }) => {
        const start = Date.now()
        const { error } = await ask(stream, requestTo(settings(url, limits)))
        assert.is(error?.message, `Model "main": ${words}`)
        assert.ok(Date.now() - start < 1000)
        await until(() => requests[0]?.state === 'closed')
      },
    ))

test('a slow answer is no stall as long as bytes come', () =>
  withModel(
    () => ({ text: 'Hello there', chunks: 8, chunkMs: 60 }),
    async (stream, { url }) => {
      const { reply } = await ask(stream, requestTo(settings(url, { streamIdleTimeoutMs: 250 })))
      assert.is(reply?.text, 'Hello there')
    },
  ))

test('a connection that nobody accepts', async () => {
  const { stream } = createChatCompletions()
  const start = Date.now()
  // Addresses of this block are kept for documentation: packets to them vanish.
  const { error } = await ask(stream, requestTo(settings('http://192.0.2.1:9/v1', { connectTimeoutMs: 150 })))
  assert.match(error?.message ?? '', /no connection within 0.15 s|cannot be reached|nothing listens/)
  assert.ok(Date.now() - start < 1000)
})

test('an idle time longer than a timer can hold never ends early', () =>
  withModel(
    () => ({ text: 'Hello', delayMs: 50 }),
    async (stream, { url }) => {
      const { reply } = await ask(
        stream,
        requestTo(settings(url, { streamIdleTimeoutMs: 31_536_000_000, firstByteTimeoutMs: 31_536_000_000 })),
      )
      assert.is(reply?.text, 'Hello')
    },
  ))

test('a finish reason, then neither [DONE] nor an end: the answer counts', () =>
  withModel(
    () => ({ raw: text('Hello') + stop, stallAfterChunks: 1 }),
    async (stream, { url }) => {
      const { reply } = await ask(stream, requestTo(settings(url, { streamIdleTimeoutMs: 100 })))
      assert.is(reply?.text, 'Hello')
    },
  ))

test('[DONE], then no end: the answer is not waited for', () =>
  withModel(
    () => ({ raw: `${text('Hello')}${stop}data: [DONE]\n\n`, stallAfterChunks: 1 }),
    async (stream, { url }) => {
      const start = Date.now()
      assert.is((await ask(stream, requestTo(settings(url)))).reply?.text, 'Hello')
      assert.ok(Date.now() - start < 1000)
    },
  ))

test('a reset inside the answer', () =>
  withModel(
    () => ({ text: 'Hello', resetAfterChunks: 2 }),
    async (stream, { url }) => {
      const { texts, error } = await ask(stream, requestTo(settings(url)))
      assert.equal(texts, ['Hello'])
      assert.is(error?.message, `Model "main": the answer was cut short: ${new URL(url).host} lost the connection`)
    },
  ))

test('a reset after the finish reason', () =>
  withModel(
    () => ({ text: 'Hello', resetAfterChunks: 3 }),
    async (stream, { url }) => assert.is((await ask(stream, requestTo(settings(url)))).reply?.text, 'Hello'),
  ))

test('nothing listens', async () => {
  const { stream } = createChatCompletions()
  const { error } = await ask(stream, requestTo(settings('http://127.0.0.1:1/v1')))
  assert.is(error?.code, 'MODEL_FAILED')
  assert.is(error?.message, 'Model "main": nothing listens at 127.0.0.1:1 (ECONNREFUSED; see base_url)')
})

test('no TLS where the URL says so', () =>
  withModel(
    () => say('no'),
    async (stream, { url }) => {
      const { error } = await ask(stream, requestTo(settings(url.replace('http:', 'https:'))))
      assert.match(error?.message ?? '', /does not speak TLS|see base_url/)
    },
  ))

test('an answer that is not HTTP', () =>
  withSockets(
    (socket) => socket.end('220 mail ready\r\n'),
    async (url) => {
      const { stream } = createChatCompletions()
      assert.match((await ask(stream, requestTo(settings(url)))).error?.message ?? '', 'not HTTP')
    },
  ))

test('a socket that the server closed while it was free: the request is sent once more', () =>
  withSockets(
    (socket, count) => {
      if (count === 2) socket.resetAndDestroy()
      else socket.write(hello)
    },
    async (url, sockets) => {
      const client = createChatCompletions()
      const request = requestTo(settings(url))
      await ask(client.stream, request)
      await new Promise((next) => setTimeout(next, 600))
      assert.is((await ask(client.stream, request)).reply?.text, 'Hello')
      assert.is(sockets.length, 2)
      client.close()
    },
  ))

test('a socket that was in use just now is not stale: the failure is told', () =>
  withSockets(
    (socket, count) => {
      if (count === 2) socket.resetAndDestroy()
      else socket.write(hello)
    },
    async (url, sockets) => {
      const client = createChatCompletions()
      const request = requestTo(settings(url))
      await ask(client.stream, request)
      assert.match((await ask(client.stream, request)).error?.message ?? '', 'closed the connection before it answered')
      assert.is(sockets.length, 1)
      client.close()
    },
  ))

test('200 calls at once, each with its own answer', () =>
  withModel(
    ({ body }) => ({ text: `answer to ${body?.messages?.[1]?.content}`, chunks: 3, chunkMs: 1, delayMs: 20 }),
    async (stream, { url, requests }) => {
      const model = settings(url)
      const ids = Array.from({ length: 200 }, (_, i) => i)
      const replies = await Promise.all(
        ids.map((i) => ask(stream, requestTo(model, { messages: [{ role: 'user', content: String(i) }] }))),
      )
      assert.equal(
        replies.map(({ reply }) => reply?.text),
        ids.map((i) => `answer to ${i}`),
      )
      assert.is(requests.length, 200)
    },
  ))

test('close ends calls under way and refuses later ones', () =>
  withModel(
    () => ({ stallAfterChunks: 0 }),
    async (_, { url, inFlight }) => {
      const client = createChatCompletions()
      const request = requestTo(settings(url))
      const first = ask(client.stream, request)
      await until(() => inFlight() === 1)
      client.close()
      for (const { error } of [await first, await ask(client.stream, request)])
        assert.is(error?.message, 'Model "main": the model client is closed')
      await until(() => inFlight() === 0)
    },
  ))

test.run()
