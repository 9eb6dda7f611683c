import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

export interface Connections {
  /** The agent that keeps sockets for reuse or, for `fresh`, one that never reuses any. */
  agent(secure: boolean, fresh: boolean): HttpAgent
  closed(): boolean
  close(): void
}

/** As many agents as one thread may hold can each leave a socket behind. */
const FREE_SOCKETS_MAX = 1024
/** How long a free socket waits for its next request; servers that announce less are believed. */
const FREE_SOCKET_MS = 60_000

const KEPT = { keepAlive: true, noDelay: true, maxFreeSockets: FREE_SOCKETS_MAX, timeout: FREE_SOCKET_MS }
const FRESH = { keepAlive: false, noDelay: true }

/** The sockets of one thread. Free ones do not keep the thread alive; `close` ends them all, also those in use. */
export const createConnections = (): Connections => {
  const plain = { kept: new HttpAgent(KEPT), fresh: new HttpAgent(FRESH) }
  const secured = { kept: new HttpsAgent(KEPT), fresh: new HttpsAgent(FRESH) }
  let closed = false
  return {
    agent: (secure, fresh) => (secure ? secured : plain)[fresh ? 'fresh' : 'kept'],
    closed: () => closed,
    close: () => {
      closed = true
      for (const agent of [plain.kept, plain.fresh, secured.kept, secured.fresh]) agent.destroy()
    },
  }
}
