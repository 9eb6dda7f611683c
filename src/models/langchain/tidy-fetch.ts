import { RESPONSE_BYTES_MAX } from '../../contract/limits.ts'
import { type Answer, createAnswer, isFault } from '../answer.ts'
import { createAssembly } from '../assemble-reply.ts'
import { type Decoding, decodePiece } from '../decode-piece.ts'
import { EMPTY_ANSWER, type Fault, httpFault, lostFault, TOO_LARGE } from '../failure.ts'
import type { WireChunk } from '../wire.ts'
import { faultError } from './thrown.ts'
import { createTidier } from './tidy-chunk.ts'

/** OpenAI's package wants a key. Where there is none, it gets this one, which is never sent. */
export const NO_KEY = 'no-key-is-sent'

/**
 * `fetch` for packages built on OpenAI's: what a chat-completions stream holds is read by our rules and handed on in the
 * one form that such a package reads without loss. Errors inside an answer, and answers that were cut, become errors.
 */
export const tidyFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (init?.headers instanceof Headers && init.headers.get('authorization') === `Bearer ${NO_KEY}`)
    init.headers.delete('authorization')
  const isChat = url.pathname.endsWith('/chat/completions') && String(init?.body).includes('"stream":true')
  if (!isChat) return fetch(input, init)
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (!response.ok) throw faultError(await refusalOf(response))
  if (response.body === null) throw faultError(EMPTY_ANSWER)
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(tidied(response.body.getReader(), url.host), { headers })
}

/** Bytes of a refusal that are read. */
const REFUSAL_MAX = 64 * 1024

const refusalOf = async ({ status, headers, body }: Response): Promise<Fault> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > REFUSAL_MAX) break
  }
  const words = Buffer.concat(pieces).toString('utf8')
  return httpFault(status, words, (name) => headers.get(name) ?? undefined, Date.now())
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

interface Tidied extends Decoding {
  readonly reader: Reader
  readonly host: string
  readonly answer: Answer
  bytes: number
  /** Events in the tidy form that have not been handed on. */
  out: string
  /** Nothing more is read. */
  over: boolean
  /** Why reading ended early, if it did. */
  broken: Fault | null
}

const tidied = (reader: Reader, host: string): ReadableStream<Uint8Array> => {
  const state = startTidying(reader, host)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      while (state.out === '' && !state.over) await advance(state)
      if (state.out === '') end(state)
      if (state.out !== '') controller.enqueue(encoder.encode(state.out))
      if (state.out === DONE) controller.close()
      state.out = ''
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const startTidying = (reader: Reader, host: string): Tidied => {
  const assembly = createAssembly(() => {})
  const tidy = createTidier()
  const settled = (): void => {
    state.over = true
  }
  const add = (chunk: WireChunk): void => {
    assembly.add(chunk)
    state.out += `data: ${JSON.stringify(tidy(chunk))}\n\n`
  }
  const answer = createAnswer({ text: () => {}, settled }, { ...assembly, add })
  const state: Tidied = { reader, host, answer, decoder: null, bytes: 0, out: '', over: false, broken: null }
  answer.head(200, () => undefined)
  return state
}

const advance = async (state: Tidied): Promise<void> => {
  const piece = await read(state)
  if (piece === null) {
    state.over = true
    const rest = state.decoder?.end()
    if (rest) state.answer.piece(rest)
    state.answer.end()
    return
  }
  state.bytes += piece.length
  if (state.bytes > RESPONSE_BYTES_MAX) Object.assign(state, { over: true, broken: TOO_LARGE })
  else state.answer.piece(decodePiece(state, piece))
  if (state.over) state.reader.cancel().catch(() => {})
}

const read = async (state: Tidied): Promise<Buffer | null> => {
  try {
    const { value } = await state.reader.read()
    return value === undefined ? null : Buffer.from(value.buffer, value.byteOffset, value.length)
  } catch {
    state.broken = lostFault(state.host)
    return null
  }
}

const DONE = 'data: [DONE]\n\n'

const end = (state: Tidied): void => {
  const outcome = state.answer.outcome(state.broken)
  if (isFault(outcome)) throw faultError(outcome)
  state.out = DONE
}
