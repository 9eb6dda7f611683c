import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { RESPONSE_BYTES_MAX } from '../contract/limits.ts'
import type { Connections } from './connections.ts'
import { type Decoding, decodePiece } from './decode-piece.ts'
import { CLOSED, codeOf, connectionWords, lostWords, stalledWords, TOO_LARGE } from './failure.ts'
import type { Route } from './route.ts'

export interface Order {
  readonly connections: Connections
  readonly route: Route
  /** Longest time without a byte. */
  readonly idleMs: number
  /** Writes what is sent. Not kept, since thousands of calls may wait for their answers at once. */
  compose(): Letter
}

export interface Letter {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
  readonly encoding: 'latin1' | 'utf8'
}

/** Hears of one exchange: `head` once, `piece` for each part of the answer, then `end` or `lost`. */
export interface ExchangeListener {
  head(status: number): void
  piece(text: string): void
  end(): void
  lost(words: string): void
}

/** One POST and its answer: a record and not a closure per event, since this is the hottest path there is. */
export interface Exchange extends Decoding {
  readonly order: Order
  readonly listener: ExchangeListener
  request: ClientRequest | null
  response: IncomingMessage | null
  timer: NodeJS.Timeout | null
  bytes: number
  sentAt: number
  /** The answer has ended, so its socket is free again. */
  drained: boolean
  /** The listener hears nothing more. */
  over: boolean
}

/** The longest time a Node timer can hold: it fires a longer one at once. */
const TIMER_MAX = 2 ** 31 - 1
/** How long a server may take to end a response whose content is complete, before its socket is given up. */
const DRAIN_MS = 2000
/** A server that closes free sockets waits at least this long, so one that dies sooner has failed and is not stale. */
const STALE_MS = 500

/** When a socket was last handed back. */
const freedAt = new WeakMap<Socket, number>()

export const openExchange = (order: Order, listener: ExchangeListener): Exchange => {
  const exchange: Exchange = {
    order,
    listener,
    request: null,
    response: null,
    timer: null,
    decoder: null,
    bytes: 0,
    sentAt: 0,
    drained: false,
    over: false,
  }
  if (order.idleMs <= TIMER_MAX) exchange.timer = setTimeout(stall, order.idleMs, exchange)
  try {
    send(exchange, false)
  } catch (error) {
    // Node refuses a header or a path it cannot send by throwing. Callers hear of nothing before they hold the abort.
    process.nextTick(lose, exchange, error, null)
  }
  return exchange
}

/** Ends the exchange and closes its socket at once. */
export const dropExchange = (exchange: Exchange): void => {
  silence(exchange)
  if (!exchange.drained) exchange.request?.destroy()
}

/** Ends the exchange and leaves its socket the time to be used again. */
export const releaseExchange = (exchange: Exchange): void => {
  if (exchange.over) return
  silence(exchange)
  if (!exchange.drained) exchange.timer = setTimeout(giveUp, DRAIN_MS, exchange).unref()
}

/** Whether all of the answer has arrived, so that its end is about to be heard of. */
export const hasArrived = ({ response }: Exchange): boolean => response?.complete === true

const silence = (exchange: Exchange): void => {
  exchange.over = true
  if (exchange.timer !== null) clearTimeout(exchange.timer)
}

const giveUp = (exchange: Exchange): void => {
  exchange.request?.destroy()
}

const send = (exchange: Exchange, fresh: boolean): void => {
  const { connections, route, compose } = exchange.order
  const { host, port, path, secure } = route
  const { headers, body, encoding } = compose()
  exchange.sentAt = performance.now()
  const agent = connections.agent(secure, fresh)
  const request = (secure ? httpsRequest : httpRequest)({ agent, method: 'POST', host, port, path, headers })
  exchange.request = request
  request.on('response', (response) => receive(exchange, response))
  request.on('error', (error) => lose(exchange, error, request))
  request.end(body, encoding)
}

const receive = (exchange: Exchange, response: IncomingMessage): void => {
  exchange.response = response
  response.on('data', (chunk: Buffer) => take(exchange, chunk))
  response.on('end', () => end(exchange))
  response.on('error', (error) => lose(exchange, error, null))
  if (exchange.over) return
  exchange.timer?.refresh()
  exchange.listener.head(response.statusCode ?? 0)
}

const take = (exchange: Exchange, chunk: Buffer): void => {
  if (exchange.over) return
  exchange.bytes += chunk.length
  exchange.timer?.refresh()
  if (exchange.bytes > RESPONSE_BYTES_MAX) fail(exchange, TOO_LARGE)
  else exchange.listener.piece(decodePiece(exchange, chunk))
}

const end = (exchange: Exchange): void => {
  exchange.drained = true
  if (exchange.request?.socket) freedAt.set(exchange.request.socket, performance.now())
  if (exchange.over) silence(exchange)
  // Node hands the socket back in a tick that is queued by now. A request sent before it would open a second socket.
  else process.nextTick(finish, exchange)
}

const finish = (exchange: Exchange): void => {
  if (exchange.over) return
  const rest = exchange.decoder?.end()
  if (rest) exchange.listener.piece(rest)
  if (exchange.over) return
  silence(exchange)
  exchange.listener.end()
}

const lose = (exchange: Exchange, error: unknown, request: ClientRequest | null): void => {
  if (exchange.over) return
  const { connections, route } = exchange.order
  if (connections.closed()) fail(exchange, CLOSED)
  else if (exchange.response !== null) fail(exchange, lostWords(route.address))
  else if (request !== null && wasStale(exchange, error, request)) send(exchange, true)
  else fail(exchange, connectionWords(error, route.address))
}

/** Whether the server closed a free socket while this request was on its way to it: then nobody has read the request. */
const wasStale = ({ sentAt }: Exchange, error: unknown, { reusedSocket, socket }: ClientRequest): boolean => {
  if (!reusedSocket || !socket || sentAt - (freedAt.get(socket) ?? sentAt) < STALE_MS) return false
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

const stall = (exchange: Exchange): void => fail(exchange, stalledWords(exchange.order.idleMs))

const fail = (exchange: Exchange, words: string): void => {
  dropExchange(exchange)
  exchange.listener.lost(words)
}
