import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnswer, isFault } from '../../src/models/answer.ts'
import { type Decoding, decodePiece } from '../../src/models/decode-piece.ts'
import type { ModelReply } from '../../src/models/port.ts'
import { ask, requestTo, settings, withModel } from './ask.ts'
import { calls, done, piece, stop, text, usage, wantsTools } from './sse.ts'

const odd = `: warming up\r\n\r\nevent: message\r\nid: 7\r\ndata:{"id":"x","choices":[{"index":0,\r\ndata: "delta":{"content":" ende"}}]}\r\n\r\n`
const stream = Buffer.from(
  `\uFEFF${text('日本')}${text('語 🦌 é')}${odd}${calls(piece('{"path":"/tmp/', { index: 0, id: 'a', name: 'read' }))}` +
    `${calls(piece('файл 🦌"}', { index: 0 }))}${wantsTools}${usage}${done}`,
)
const json = Buffer.from(
  JSON.stringify({ id: 'x', choices: [{ message: { content: '日本語 🦌 é' }, finish_reason: 'stop' }] }),
)

const read = (pieces: readonly Buffer[]): ModelReply | string => {
  const answer = createAnswer({ text: () => {}, settled: () => {} })
  const decoding: Decoding = { decoder: null }
  answer.head(200, () => undefined)
  for (const bytes of pieces) if (bytes.length > 0) answer.piece(decodePiece(decoding, bytes))
  answer.end()
  const outcome = answer.outcome(null)
  return isFault(outcome) ? outcome.words : outcome
}

const wanted = {
  id: 'chatcmpl-1',
  text: '日本語 🦌 é ende',
  toolCalls: [{ id: 'a', name: 'read', args: { path: '/tmp/файл 🦌' } }],
  finishReason: 'tool_calls',
  refusal: '',
  reasoning: null,
  incomplete: null,
  usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
}

test('a stream cut at any byte is the same', () => {
  for (let at = 0; at <= stream.length; at++)
    assert.equal(read([stream.subarray(0, at), stream.subarray(at)]), wanted, `cut at ${at}`)
})

test('a stream in pieces of any size is the same', () => {
  for (let size = 1; size <= 200; size++) {
    const pieces: Buffer[] = []
    for (let i = 0; i < stream.length; i += size) pieces.push(stream.subarray(i, i + size))
    assert.equal(read(pieces), wanted, `pieces of ${size}`)
  }
})

test('one JSON body cut at any byte is the same', () => {
  for (let at = 0; at <= json.length; at++) {
    const reply = read([json.subarray(0, at), json.subarray(at)])
    assert.is(typeof reply === 'string' ? reply : reply.text, '日本語 🦌 é', `cut at ${at}`)
  }
})

test('the same over HTTP, cut inside every character of several bytes', async () => {
  const cuts = [...stream.keys()].filter((at) => ((stream[at] ?? 0) & 0xc0) === 0x80)
  assert.ok(cuts.length > 15)
  await withModel(
    ({ index }) => ({ raw: [stream.subarray(0, cuts[index]), stream.subarray(cuts[index])] }),
    async (call, { url }) => {
      const request = requestTo(settings(url))
      for (const at of cuts) assert.equal((await ask(call, request)).reply, wanted, `cut at ${at}`)
    },
  )
})

test('the same over HTTP, byte by byte', () =>
  withModel(
    () => ({ raw: [...stream.keys()].map((at) => stream.subarray(at, at + 1)) }),
    async (call, { url }) => assert.equal((await ask(call, requestTo(settings(url)))).reply, wanted),
  ))

test('a stream that ends inside a character is not complete', () =>
  withModel(
    () => ({ raw: Buffer.from(text('🦌')).subarray(0, -20) }),
    async (call, { url }) => assert.match((await ask(call, requestTo(settings(url)))).error?.message ?? '', 'not JSON'),
  ))

test('a finish reason in a last line without its end', () =>
  withModel(
    () => ({ raw: (text('🦌') + stop).trimEnd() }),
    async (call, { url }) => assert.equal((await ask(call, requestTo(settings(url)))).texts, ['🦌']),
  ))

test.run()
