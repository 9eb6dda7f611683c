// Holds the mock, the idle control and the poller, and measures contestants beside them.
import { fileURLToPath } from 'node:url'
import { FLOOR } from './contestants.mjs'
import { toFigures } from './figures.mjs'
import { interleave } from './interleave.mjs'
import { spawnChild } from './ipc.mjs'
import { stageFor } from './stage.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const warm = ({ ask }, runs) => ask('measure', { runs: Math.min(runs, 30), batches: Math.ceil(runs / 30) })

export async function openBench(options) {
  const mock = spawnChild(here('../mock/server.mjs'))
  const idle = spawnChild(here('../idle.mjs'))
  const poller = spawnChild(here('../poller.mjs'))
  const url = await mock.ask('url')
  const idleHealth = await idle.ask('health')
  const problems = []
  const problem = (where, error) => problems.push(`${where}: ${String(error?.message ?? error).split('\n')[0]}`)
  const { contestant, wording } = stageFor({ mock, url, problem })

  /**
   * Warms a contestant in its own process while the mock checks its requests, then hands `use` a function that measures
   * one load after the other beside the idle control.
   */
  const session = (name, work, { warmup = options.warmup, poll = false }, use) =>
    contestant(name, work, async (child, { health }) => {
      await mock.ask('reset', { ...work, latency: 0, check: true })
      await warm(child, warmup)
      const checked = await mock.ask('stats')
      return use(async ({ latency = 0, ...load }) => {
        await mock.ask('reset', { ...work, latency })
        await idle.ask('start')
        if (poll) await poller.ask('start', { urls: [health, idleHealth] })
        const result = await child.ask('measure', { burst: options.burst, ...load })
        const polled = poll ? await poller.ask('stop') : []
        const control = await idle.ask('stop')
        return toFigures({ ...load, ...result, polled, control, checked, mock: await mock.ask('stats') })
      })
    })

  await contestant(FLOOR, {}, (child) => warm(child, options.quick ? 20 : 120)) // for the mock's sake
  return {
    ...options,
    mock,
    problems,
    wording,
    contestant,
    warm,
    session,
    /** A session of one load. */
    measure: (name, work, { warmup, poll, ...load }) => session(name, work, { warmup, poll }, (once) => once(load)),
    interleave: (entries, once, rounds = options.rounds) =>
      interleave({ ...options, rounds: Math.min(rounds, options.rounds), problem }, entries, once),
    close: () => Promise.all([idle.stop(), poller.stop(), mock.stop()]),
  }
}
