import { createServer } from 'node:http'

/** What a load balancer asks of a service: one small answer, from the event loop that everything else runs on. */
export async function serveHealth() {
  const server = createServer((_, res) => res.end('ok'))
  // A stalled loop would close what it has not looked at for five seconds, and a request on its way would be lost.
  server.keepAliveTimeout = 120_000
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${server.address().port}/health`, close: () => server.close() }
}
