import { createAnswer, isFault } from './answer.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Connections, createConnections } from './connections.ts'
import { dropExchange, hasArrived, type Letter, type Order, openExchange, releaseExchange } from './exchange.ts'
import { CLOSED, type Fault, lasting, modelFailed, modelUnset } from './failure.ts'
import type { ModelFailure, ModelRequest, ModelSink, StreamModel } from './port.ts'
import { refuse } from './refuse.ts'
import { requestBody } from './request-body.ts'
import { type Route, routeOf } from './route.ts'

export interface ChatCompletions {
  readonly stream: StreamModel
  /** Ends every socket; calls under way fail, and so does every later one. */
  close(): void
}

/** Troupe's own client for OpenAI-compatible endpoints. One a thread, so that its sockets are shared. */
export const createChatCompletions = (clock: Clock = systemClock): ChatCompletions => {
  const connections = createConnections()
  return {
    stream: (request, sink) => {
      const order = prepare(connections, clock, request)
      return 'code' in order ? refuse(order, sink) : call(order, request, sink)
    },
    close: connections.close,
  }
}

const prepare = (connections: Connections, clock: Clock, request: ModelRequest): Order | ModelFailure => {
  const { model } = request
  const unset = modelUnset(model)
  if (unset !== null) return unset
  if (connections.closed()) return modelFailed(model, CLOSED)
  const route = routeOf(model)
  if (typeof route === 'string') return modelFailed(model, lasting(route))
  return { connections, route, limits: model, clock, compose: () => compose(route, request) }
}

const compose = (route: Route, request: ModelRequest): Letter => {
  const { text: body, bytes } = requestBody(request)
  return {
    headers: route.headers.concat('traceparent', request.traceparent, 'content-length', String(bytes)),
    body,
    // Node writes plain ASCII much faster when it need not look for anything else.
    encoding: bytes === body.length ? 'latin1' : 'utf8',
  }
}

const call = (order: Order, { model }: ModelRequest, sink: ModelSink): (() => void) => {
  let open = true

  const settle = (broken: Fault | null): void => {
    if (!open) return
    open = false
    const outcome = answer.outcome(broken)
    if (isFault(outcome)) {
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
