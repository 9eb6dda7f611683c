import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { codeOf } from '../contract/errors.ts'
import { RESPONSE_BYTES_MAX } from '../contract/limits.ts'
import type { ModelSettings } from '../contract/settings.ts'
import type { Clock } from './clock.ts'
import type { Connections } from './connections.ts'
import { type Decoding, decodePiece } from './decode-piece.ts'
import { CLOSED, connectionFault, type Fault, lostFault, TOO_LARGE } from './failure.ts'
import { noteLife, startWatch, stopWatch, type Watch } from './patience.ts'
import type { ReadHeader } from './retry-after.ts'
import type { Route } from './route.ts'

export interface Order {
  readonly connections: Connections
  readonly route: Route
  readonly limits: ModelSettings
  readonly clock: Clock
  /** Writes what is sent, the same each time. Not kept, since thousands of calls may wait for their answers at once. */
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
  head(status: number, header: ReadHeader): void
  /** Returns whether the piece brought the answer on. */
  piece(text: string): boolean
  end(): void
  lost(fault: Fault): void
}

/** One POST and its answer: a record and not a closure per event, since this is the hottest path there is. */
export interface Exchange extends Decoding {
  readonly order: Order
  readonly listener: ExchangeListener
  request: ClientRequest | null
  /** What is about to be sent. */
  letter: Letter | null
  response: IncomingMessage | null
  watch: Watch | null
  draining: NodeJS.Timeout | null
  bytes: number
  sentAt: number
  /** The answer has ended, so its socket is free again. */
  drained: boolean
  /** The listener hears nothing more. */
  over: boolean
}

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
    letter: null,
    response: null,
    watch: null,
    draining: null,
    decoder: null,
    bytes: 0,
    sentAt: 0,
    drained: false,
    over: false,
  }
  exchange.watch = startWatch(
    order.limits,
    order.clock,
    () => isConnecting(exchange),
    (fault) => fail(exchange, fault),
  )
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
  if (!exchange.drained) exchange.draining = setTimeout(giveUp, DRAIN_MS, exchange).unref()
}

/** Whether all of the answer has arrived, so that its end is about to be heard of. */
export const hasArrived = ({ response }: Exchange): boolean => response?.complete === true

const silence = (exchange: Exchange): void => {
  exchange.over = true
  if (exchange.watch !== null) stopWatch(exchange.watch)
  if (exchange.draining !== null) clearTimeout(exchange.draining)
}

const isConnecting = ({ request }: Exchange): boolean => {
  const socket = request?.socket
  // A TLS socket counts as connected before its handshake is done.
  return !socket || socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true)
}

const giveUp = (exchange: Exchange): void => {
  exchange.request?.destroy()
}

const send = (exchange: Exchange, fresh: boolean): void => {
  const { connections, route, compose } = exchange.order
  const { host, port, path, secure } = route
  const letter = compose()
  const { headers } = letter
  exchange.letter = letter
  exchange.sentAt = performance.now()
  const agent = connections.agent(secure, fresh)
  const request = (secure ? httpsRequest : httpRequest)({ agent, method: 'POST', host, port, path, headers })
  exchange.request = request
  request.on('response', (response) => receive(exchange, response))
  request.on('error', (error) => lose(exchange, error, request))
  request.on('socket', (socket) => post(exchange, request, socket))
}

/**
 * Sends the letter where the socket can take it at once. For one that has yet to connect it is written again when that is
 * done: thousands of new connections would else hold thousands of transcripts for as long as it takes.
 */
const post = (exchange: Exchange, request: ClientRequest, socket: Socket): void => {
  if (isConnecting(exchange)) {
    exchange.letter = null
    socket.once(exchange.order.route.secure ? 'secureConnect' : 'connect', () => write(exchange, request))
  } else write(exchange, request)
}

const write = (exchange: Exchange, request: ClientRequest): void => {
  if (request.destroyed) return
  const { body, encoding } = exchange.letter ?? exchange.order.compose()
  exchange.letter = null
  request.end(body, encoding)
}

const receive = (exchange: Exchange, response: IncomingMessage): void => {
  exchange.response = response
  response.on('data', (chunk: Buffer) => take(exchange, chunk))
  response.on('end', () => end(exchange))
  response.on('error', (error) => lose(exchange, error, null))
  if (exchange.over) return
  exchange.listener.head(response.statusCode ?? 0, (name) => response.headers[name]?.toString())
}

const take = (exchange: Exchange, chunk: Buffer): void => {
  if (exchange.over) return
  exchange.bytes += chunk.length
  if (exchange.bytes > RESPONSE_BYTES_MAX) fail(exchange, TOO_LARGE)
  else if (exchange.listener.piece(decodePiece(exchange, chunk)) && exchange.watch !== null) noteLife(exchange.watch)
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
  else if (exchange.response !== null) fail(exchange, lostFault(route.address))
  else if (request !== null && wasStale(exchange, error, request)) send(exchange, true)
  else fail(exchange, connectionFault(error, route.address))
}

/** Whether the server closed a free socket while this request was on its way to it: then nobody has read the request. */
const wasStale = ({ sentAt }: Exchange, error: unknown, { reusedSocket, socket }: ClientRequest): boolean => {
  if (!reusedSocket || !socket || sentAt - (freedAt.get(socket) ?? sentAt) < STALE_MS) return false
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

const fail = (exchange: Exchange, fault: Fault): void => {
  dropExchange(exchange)
  exchange.listener.lost(fault)
}
