// A client in a process of its own that asks services for /health on a fixed beat, whether or not they have answered.
import { Agent, get } from 'node:http'
import { now, serve } from './lib/ipc.mjs'
import { quantile } from './lib/stats.mjs'

const BEAT_MS = 10
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const ask = (url) =>
  new Promise((resolve) => {
    const begun = now()
    const request = get(url, { agent }, (res) => {
      res.resume()
      res.on('end', () => resolve(now() - begun))
    })
    request.on('error', () => resolve(Number.NaN))
  })

let urls = []
let asked = []
let beat

serve({
  start(given) {
    urls = given.urls
    asked = urls.map(() => [])
    beat = setInterval(() => {
      for (const [i, url] of urls.entries()) asked[i].push(ask(url))
    }, BEAT_MS)
  },
  /** For each address how many were asked and in how many milliseconds they were answered. */
  async stop() {
    clearInterval(beat)
    const answers = await Promise.all(asked.map((list) => Promise.all(list)))
    return answers.map((ms) => ({
      count: ms.length,
      p50: quantile(ms, 0.5),
      p99: quantile(ms, 0.99),
      max: quantile(ms, 1),
      failed: ms.filter(Number.isNaN).length,
    }))
  },
})
