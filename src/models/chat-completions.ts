import type { ErrorData } from '../contract/errors.ts'
import { createAnswer } from './answer.ts'
import { type Connections, createConnections } from './connections.ts'
import { dropExchange, hasArrived, type Letter, type Order, openExchange, releaseExchange } from './exchange.ts'
import { CLOSED, modelFailed, modelUnset } from './failure.ts'
import type { ModelRequest, ModelSink, StreamModel } from './port.ts'
import { requestBody } from './request-body.ts'
import { type Route, routeOf } from './route.ts'

export interface ChatCompletions {
  readonly stream: StreamModel
  /** Ends every socket; calls under way fail, and so does every later one. */
  close(): void
}

/** Troupe's own client for OpenAI-compatible endpoints. One a thread, so that its sockets are shared. */
export const createChatCompletions = (): ChatCompletions => {
  const connections = createConnections()
  return {
    stream: (request, sink) => {
      const order = prepare(connections, request)
      return 'code' in order ? refuse(order, sink) : call(order, request, sink)
    },
    close: connections.close,
  }
}

const prepare = (connections: Connections, request: ModelRequest): Order | ErrorData => {
  const { model } = request
  const unset = modelUnset(model)
  if (unset !== null) return unset
  if (connections.closed()) return modelFailed(model, CLOSED)
  const route = routeOf(model)
  return typeof route === 'string' ? modelFailed(model, route) : orderOf(connections, route, request)
}

const orderOf = (connections: Connections, route: Route, request: ModelRequest): Order => ({
  connections,
  route,
  idleMs: request.model.streamIdleTimeoutMs,
  compose: () => compose(route, request),
})

const compose = (route: Route, request: ModelRequest): Letter => {
  const body = requestBody(request)
  const bytes = Buffer.byteLength(body)
  return {
    headers: route.headers.concat('traceparent', request.traceparent, 'content-length', String(bytes)),
    body,
    // Node writes plain ASCII much faster when it need not look for anything else.
    encoding: bytes === body.length ? 'latin1' : 'utf8',
  }
}

/** The sink never hears anything before the caller holds the abort. */
const refuse = (error: ErrorData, sink: ModelSink): (() => void) => {
  let open = true
  process.nextTick(() => {
    if (open) sink.failed(error)
  })
  return () => {
    open = false
  }
}

const call = (order: Order, { model }: ModelRequest, sink: ModelSink): (() => void) => {
  let open = true

  const settle = (broken: string | null): void => {
    if (!open) return
    open = false
    const outcome = answer.outcome(broken)
    if (typeof outcome === 'string') {
      dropExchange(exchange)
      sink.failed(modelFailed(model, outcome))
    } else {
      releaseExchange(exchange)
      sink.done(outcome)
    }
  }

  /** The end of the response most often lies in the same packet. Settling after it finds the socket free again. */
  const settleUnlessEnding = (): void => {
    if (!hasArrived(exchange)) settle(null)
  }

  const answer = createAnswer({
    text: (delta) => {
      if (open) sink.text(delta)
    },
    settled: () => process.nextTick(settleUnlessEnding),
  })

  const exchange = openExchange(order, {
    head: answer.head,
    piece: answer.piece,
    end: () => {
      answer.end()
      settle(null)
    },
    lost: settle,
  })

  return () => {
    if (!open) return
    open = false
    dropExchange(exchange)
  }
}
