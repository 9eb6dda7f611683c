import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { serveDemo } from '../../src/demo/serve.ts'

const post = (url: string, body: object) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const request = {
  model: 'm',
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'x' }],
  tools: [{ function: { name: 'task' } }],
}

test('streams chat completions over HTTP on the loopback address', async () => {
  const server = await serveDemo({ pace: 0 })
  try {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    const text = await (await post(server.url, request)).text()
    const lines = text
      .split('\n\n')
      .filter(Boolean)
      .map((line) => line.replace('data: ', ''))
    assert.is(lines.pop(), '[DONE]')
    const chunks = lines.map((line) => JSON.parse(line))
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta?.tool_calls ?? [])
    assert.is(calls.filter(({ id }) => id !== undefined).length, 3)
    assert.is(chunks.filter(({ choices }) => choices[0]?.delta?.content).length > 5, true, 'the text comes in pieces')
    assert.is(chunks.find(({ choices }) => choices[0]?.finish_reason)?.choices[0].finish_reason, 'tool_calls')
    assert.ok(chunks.at(-1).usage.total_tokens > 10)
  } finally {
    await server.close()
  }
})

test('takes its time unless told otherwise', async () => {
  const server = await serveDemo()
  try {
    const started = performance.now()
    await (await post(server.url, request)).text()
    const ms = performance.now() - started
    assert.ok(ms > 300 && ms < 3000, `${ms} ms`)
  } finally {
    await server.close()
  }
})

test.run()
