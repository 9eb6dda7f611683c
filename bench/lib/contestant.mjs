// What every contestant's process does; a contestant only says how to start and how to do one run.
import { crowdOf } from './crowd.mjs'
import { descendants } from './descendants.mjs'
import { serveHealth } from './health.mjs'
import { now, serve } from './ipc.mjs'
import { watchLoop } from './stall.mjs'

const MB = 2 ** 20

/** `start(work)` gives `{ run(prompt, signal) → text, close() }`. */
export function contest(start) {
  let contestant
  let health
  const crowd = crowdOf((...run) => contestant.run(...run))

  serve({
    async start(work) {
      const before = now()
      contestant = await start(work)
      const after = now()
      if (work.atOnce) await crowd.one()
      health = await serveHealth()
      return { before, after, health: health.url }
    },

    async measure({ runs, batches = 1, burst = false }) {
      globalThis.gc?.()
      const loop = await watchLoop()
      const rss = process.memoryUsage().rss
      const below = descendants()
      const cpu = process.cpuUsage()
      const walls = []
      const failures = []
      for (let i = 0; i < batches; i++) {
        const begun = now()
        failures.push(...(await crowd.batch(runs, burst)))
        walls.push(now() - begun)
      }
      const used = process.cpuUsage(cpu)
      const after = descendants()
      return {
        walls,
        failures,
        own_cpu_ms: (used.user + used.system) / 1000,
        below_cpu_ms: Math.max(0, after.cpu_ms - below.cpu_ms),
        below: after,
        grown_mb: Math.max(0, process.resourceUsage().maxRSS / 1024 - rss / MB),
        stall: await loop.stop(),
      }
    },

    launch: crowd.launch,
    cancel: crowd.cancel,

    /** What is resident now, and what of it is the heap of the thread that embeds the contestant. */
    memory() {
      globalThis.gc?.()
      const { rss, heapUsed } = process.memoryUsage()
      return { rss_mb: rss / MB, heap_mb: heapUsed / MB }
    },

    async close() {
      health?.close()
      await contestant?.close()
    },
  })
}
