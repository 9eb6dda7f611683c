import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptedReply } from './scripted-reply.ts'
import { streamedAnswer, wholeAnswer } from './wire/answers.ts'

/** One request that the scripted model received. */
export interface ScriptedRequest {
  /** Place among all requests, from 0. */
  readonly index: number
  /** The parsed body; `null` if it was not JSON. */
  readonly body: ScriptedBody | null
  readonly headers: IncomingHttpHeaders
  /** Milliseconds since the epoch. */
  readonly time: number
  /** `open` until it is `answered` in full or the other side has `closed` the connection. A stalled one stays open. */
  readonly state: 'open' | 'answered' | 'closed'
  /** When it ceased to be open, in milliseconds since the epoch. */
  readonly endedAt: number | null
}

/** The parts of a chat-completions request that scripts look at. */
export interface ScriptedBody {
  readonly model?: string
  readonly messages?: readonly {
    readonly role: string
    readonly content?: unknown
    readonly tool_calls?: unknown
    readonly tool_call_id?: string
  }[]
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown }
  }[]
  readonly tool_choice?: unknown
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

export interface ScriptedModel {
  /** The `base_url` to put into a config. */
  readonly url: string
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ScriptedRequest[]
  /** How many requests are open. */
  inFlight(): number
  /** Ends every connection, then the server. */
  close(): Promise<void>
}

export interface ScriptedModelOptions {
  /** Says what to answer; what it throws is answered as HTTP 500. */
  readonly reply: (request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>
  /** Left out: a free one. */
  readonly port?: number
}

type Recorded = { -readonly [K in keyof ScriptedRequest]: ScriptedRequest[K] }

/** Starts a chat-completions server on 127.0.0.1 whose answers a script gives. It is no language model. */
export const startScriptedModel = async ({ reply, port = 0 }: ScriptedModelOptions): Promise<ScriptedModel> => {
  const requests: Recorded[] = []

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    const request = record(requests, incoming, body)
    response.on('close', () => {
      request.state = response.writableFinished ? 'answered' : 'closed'
      request.endedAt = Date.now()
    })
    const answer = await ask(reply, request)
    if (answer.delayMs) await sleep(answer.delayMs)
    await deliver(answer, request, response)
  }

  const server = createServer((incoming, response) => {
    // A client that goes away while it is written to is what many tests are about.
    handle(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => socket.setNoDelay(true))
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', ready)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    inFlight: () => requests.filter(({ state }) => state === 'open').length,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const readBody = async (incoming: IncomingMessage): Promise<ScriptedBody | null> => {
  let text = ''
  incoming.setEncoding('utf8')
  for await (const piece of incoming) text += piece
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const record = (requests: Recorded[], { headers }: IncomingMessage, body: ScriptedBody | null): Recorded => {
  const request: Recorded = { index: requests.length, body, headers, time: Date.now(), state: 'open', endedAt: null }
  requests.push(request)
  return request
}

const ask = async (reply: ScriptedModelOptions['reply'], request: ScriptedRequest): Promise<ScriptedReply> => {
  try {
    return await reply(request)
  } catch (error) {
    return { status: 500, body: { error: { message: `the script threw: ${String(error)}` } } }
  }
}

const deliver = async (reply: ScriptedReply, request: ScriptedRequest, response: ServerResponse): Promise<void> => {
  const { pieces, type } = payload(reply, request)
  const { stallAfterChunks: stall, resetAfterChunks: reset } = reply
  if (stall === 0) return
  if (reset === 0) return void response.socket?.resetAndDestroy()
  response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers })
  if (isPlain(reply)) return void response.end(pieces.join(''))
  await writeAll(response, pieces.slice(0, stall ?? reset), reply.chunkMs)
  if (stall !== undefined) return
  if (reset === undefined) return void response.end()
  // A reset overtakes what the socket has not sent yet; without this pause the client may never see the chunks.
  await sleep(20)
  response.socket?.resetAndDestroy()
}

const writeAll = async (
  response: ServerResponse,
  pieces: readonly (string | Uint8Array)[],
  pause: number | undefined,
): Promise<void> => {
  for (const piece of pieces) {
    if (response.destroyed) return
    await write(response, piece)
    if (pause) await sleep(pause)
  }
}

/** Whether the whole answer may go out in one write. */
const isPlain = ({ chunkMs, stallAfterChunks, resetAfterChunks, raw }: ScriptedReply): boolean =>
  raw === undefined && chunkMs === undefined && stallAfterChunks === undefined && resetAfterChunks === undefined

const payload = (
  reply: ScriptedReply,
  { index, body }: ScriptedRequest,
): { pieces: readonly (string | Uint8Array)[]; type: string } => {
  const { raw, body: json, status = 200 } = reply
  const id = `chatcmpl-${index}`
  if (raw !== undefined) return { pieces: isList(raw) ? raw : [raw], type: 'text/event-stream' }
  if (json !== undefined || status !== 200) return { pieces: [JSON.stringify(json ?? {})], type: 'application/json' }
  if (!body?.stream) return { pieces: [JSON.stringify(wholeAnswer(reply, body?.model, id))], type: 'application/json' }
  const withUsage = body.stream_options?.include_usage === true
  return { pieces: streamedAnswer(reply, body.model, id, withUsage), type: 'text/event-stream' }
}

const isList = (raw: NonNullable<ScriptedReply['raw']>): raw is readonly (string | Uint8Array)[] => Array.isArray(raw)

/** Sends a piece and lets the event loop turn, so that the client reads it apart from the next one. */
const write = (response: ServerResponse, piece: string | Uint8Array): Promise<void> =>
  new Promise((sent) => {
    response.write(piece, () => setImmediate(sent))
  })
