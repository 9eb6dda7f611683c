import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnswer, isFault } from '../../src/models/answer.ts'
import { type Decoding, decodePiece } from '../../src/models/decode-piece.ts'
import type { Fault } from '../../src/models/failure.ts'
import type { ModelReply } from '../../src/models/port.ts'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import { type Chance, createChance } from '../support/random.ts'
import { ask, requestTo } from './ask.ts'
import { type Meant, meantBy } from './fuzz/meant.ts'
import { counted, type Quirks, quirksBy, render } from './fuzz/render.ts'
import { type Client, langChainClient, ownClient, withClient } from './langchain/support.ts'

/** As many as the fast lane has time for; a seed that fails is named and fails always. */
const SEEDS = 2000
const HTTP_SEEDS = 80

interface Case {
  readonly meant: Meant
  readonly quirks: Quirks
  readonly bytes: Buffer
  readonly chance: Chance
}

const caseOf = (seed: number): Case => {
  const chance = createChance(seed)
  const meant = meantBy(chance)
  const quirks = quirksBy(chance)
  return { meant, quirks, bytes: Buffer.from(render(meant, quirks, chance)), chance }
}

/** Cuts anywhere, also inside a character. */
const pieces = (bytes: Buffer, chance: Chance): Buffer[] => {
  const list: Buffer[] = []
  const most = chance.pick([1, 7, 200, 5000])
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + chance.below(most)
    list.push(bytes.subarray(at, at + size))
    at += size
  }
  return list
}

const read = (list: readonly Buffer[]): { readonly heard: string; readonly outcome: ModelReply | Fault } => {
  const deltas: string[] = []
  const answer = createAnswer({ text: (delta) => deltas.push(delta), settled: () => {} })
  const decoding: Decoding = { decoder: null }
  answer.head(200, () => undefined)
  for (const piece of list) answer.piece(decodePiece(decoding, piece))
  const rest = decoding.decoder?.end()
  if (rest) answer.piece(rest)
  answer.end()
  return { heard: deltas.join(''), outcome: answer.outcome(null) }
}

const checkReply = ({ meant, quirks }: Case, reply: ModelReply, heard: string, seed: string): void => {
  assert.is(reply.text, meant.text, seed)
  assert.is(heard, meant.text, seed)
  assert.is(reply.reasoning?.text ?? '', meant.reasoning, seed)
  checkCalls(meant, quirks, reply, seed)
}

const checkCalls = (meant: Meant, quirks: Quirks, reply: ModelReply, seed: string): void => {
  const calls = reply.toolCalls.map(({ id, ...call }) => (quirks.missingIds ? call : { id, ...call }))
  const wanted = meant.calls.map(({ id, ...call }) => (quirks.missingIds ? call : { id, ...call }))
  assert.equal(calls, wanted, seed)
  assert.ok(new Set(reply.toolCalls.map(({ id }) => id)).size === calls.length, seed)
}

const nameOf = (seed: number, { quirks }: Case): string => `seed ${seed}: ${JSON.stringify(quirks)}`

test('whatever a provider does to an answer, and wherever its packets end: the same message', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const made = caseOf(seed)
    const { heard, outcome } = read(pieces(made.bytes, made.chance))
    const name = nameOf(seed, made)
    if (isFault(outcome)) assert.unreachable(`${name}: ${outcome.words}`)
    else {
      checkReply(made, outcome, heard, name)
      assert.equal(outcome.usage, made.quirks.usage === 'none' ? null : counted, name)
    }
  }
})

test('an answer that ends anywhere is the same message, or a failure that may pass; never another call', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const made = caseOf(seed)
    const end = made.chance.below(made.bytes.length)
    const { heard, outcome } = read(pieces(made.bytes.subarray(0, end), made.chance))
    const name = `${nameOf(seed, made)} up to byte ${end}`
    if (isFault(outcome)) {
      assert.ok(outcome.retryable, `${name}: ${outcome.words}`)
      assert.ok(made.meant.text.startsWith(heard.replace(/[\ud800-\udbff]$/, '')), name)
    } else checkReply(made, outcome, heard, name)
  }
})

test('an answer whose numbers, ids and names are all gone runs no call that was not meant', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const chance = createChance(seed)
    const meant = meantBy(chance)
    const numbering = chance.pick(['zero', 'none'] as const)
    const quirks = { ...quirksBy(chance), missingIds: true, interleaved: false, numbering }
    const { outcome } = read(pieces(Buffer.from(render(meant, quirks, chance)), chance))
    if (isFault(outcome)) continue
    const sane = outcome.toolCalls.filter(({ invalid }) => invalid === undefined)
    let from = 0
    for (const { name, args } of sane) {
      const at = meant.calls.findIndex(
        (call, i) => i >= from && call.name === name && JSON.stringify(call.args) === JSON.stringify(args),
      )
      assert.ok(
        at >= 0,
        `seed ${seed}: ${name} ${JSON.stringify(args)} was never meant, or not then: ${JSON.stringify(quirks)}`,
      )
      from = at + 1
    }
  }
})

const overHttp = async (make: () => Client, first: number): Promise<void> =>
  withClient(
    make,
    ({ body }: ScriptedRequest) => {
      const made = caseOf(Number(body?.model))
      const end = made.chance.often(0.3) ? made.chance.below(made.bytes.length) : made.bytes.length
      return { raw: pieces(made.bytes.subarray(0, end), { ...made.chance, pick: (list) => list.at(-1) as never }) }
    },
    async ({ stream, settings, name }, { url }) => {
      for (let seed = first; seed < first + HTTP_SEEDS; seed++) {
        const made = caseOf(seed)
        const { reply, texts, error } = await ask(stream, requestTo(settings(url, { model: String(seed) })))
        const label = `${name}, ${nameOf(seed, made)}`
        if (reply) checkReply(made, reply, texts.join(''), label)
        else assert.ok(error?.retryable, `${label}: ${error?.message}`)
      }
    },
  )

for (const make of [ownClient, langChainClient])
  test(`the same over real HTTP: ${make === ownClient ? "Troupe's own client" : 'ChatOpenAI'}`, () =>
    overHttp(make, 10_000))

test.run()
