// What every contestant's process does; a contestant only says how to start and how to do one run.
import { setImmediate as turn } from 'node:timers/promises'
import { descendants } from './descendants.mjs'
import { now, serve } from './ipc.mjs'
import { watchLoop } from './stall.mjs'

/** `start(work)` gives `{ run(prompt, signal) → text, close() }`. */
export function contest(start) {
  let contestant
  let launched
  let count = 0
  const prompt = () => `Survey the material and report. [run-${++count}]`

  const one = (controller = new AbortController()) => contestant.run(prompt(), controller.signal)

  /** `runs` at once: each begun in a turn of the loop of its own, as requests reach a service, or all in one. */
  const batch = async (runs, burst) => {
    const all = []
    for (let i = 0; i < runs; i++) {
      all.push(one())
      if (!burst) await turn()
    }
    const ends = await Promise.allSettled(all)
    return ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason?.message ?? end.reason)] : []))
  }

  serve({
    async start(work) {
      const before = now()
      contestant = await start(work)
      const after = now()
      if (work.atOnce) await one()
      return { before, after }
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
        failures.push(...(await batch(runs, burst)))
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
        grown_mb: Math.max(0, process.resourceUsage().maxRSS / 1024 - rss / 1024 / 1024),
        stall: await loop.stop(),
      }
    },

    async launch({ runs }) {
      launched = Array.from({ length: runs }, () => {
        const controller = new AbortController()
        return { controller, end: one(controller) }
      })
      for (const { end } of launched) end.catch(() => {})
    },

    async cancel() {
      const at = now()
      for (const { controller } of launched) controller.abort()
      const ends = await Promise.allSettled(launched.map(({ end }) => end))
      return { at, settled: now(), completed: ends.filter(({ status }) => status === 'fulfilled').length }
    },

    close: () => contestant?.close(),
  })
}
