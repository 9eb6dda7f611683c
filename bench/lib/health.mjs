import { createServer } from 'node:http'

/** What a load balancer asks of a service: one small answer, from the event loop that everything else runs on. */
export async function serveHealth() {
  const server = createServer((_, res) => res.end('ok'))
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${server.address().port}/health`, close: () => server.close() }
}
