import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const ms = (ns) => ns / 1e6

/** Watches this process's event loop until `stop()`, which gives p50, p99, p99.9 and the maximum in milliseconds. */
export async function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await sleep(5)
  histogram.reset()
  return {
    async stop() {
      await sleep(3) // a stall counts only when the timer behind it has fired
      histogram.disable()
      return {
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        p999: ms(histogram.percentile(99.9)),
        max: ms(histogram.max),
      }
    },
  }
}
