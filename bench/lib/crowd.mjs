import { setImmediate as turn } from 'node:timers/promises'
import { now } from './ipc.mjs'

const reasonOf = ({ reason }) => String(reason?.message ?? reason)

/** The runs of one contestant: `run(prompt, signal)` does one. Each has a number of its own, by which the mock knows it. */
export function crowdOf(run) {
  let count = 0
  let launched = []
  const one = (signal = new AbortController().signal) => run(`Survey the material and report. [run-${++count}]`, signal)

  return {
    one,

    /** `runs` at once: each begun in a turn of the loop of its own, as requests reach a service, or all in one. */
    async batch(runs, burst) {
      const all = []
      for (let i = 0; i < runs; i++) {
        all.push(one())
        if (!burst) await turn()
      }
      const ends = await Promise.allSettled(all)
      return ends.filter(({ status }) => status === 'rejected').map(reasonOf)
    },

    /** Begins runs that nobody waits for, until `cancel`. */
    async launch({ runs }) {
      for (let i = 0; i < runs; i++) {
        const controller = new AbortController()
        const end = one(controller.signal)
        end.catch(() => {})
        launched.push({ controller, end })
        await turn()
      }
    },

    async cancel() {
      const at = now()
      for (const { controller } of launched) controller.abort()
      const ends = await Promise.allSettled(launched.map(({ end }) => end))
      launched = []
      return { at, settled: now(), completed: ends.filter(({ status }) => status === 'fulfilled').length }
    },
  }
}
