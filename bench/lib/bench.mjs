// Holds the mock, the idle control and the poller, and starts contestants beside them.
import { fileURLToPath } from 'node:url'
import { contestantNamed, FLOOR, isBuilt, isPeer, TROUPE } from './contestants.mjs'
import { toFigures } from './figures.mjs'
import { interleave } from './interleave.mjs'
import { now, spawnChild } from './ipc.mjs'
import { wordings } from './wording.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const DEFAULTS = { tasks: 3, turns: 5, tool: 'lookup', latency: 0 }
const CLOSE_MS = 15_000

export async function openBench(options) {
  const mock = spawnChild(here('../mock/server.mjs'))
  const idle = spawnChild(here('../idle.mjs'))
  const poller = spawnChild(here('../poller.mjs'))
  const url = await mock.ask('url')
  const idleHealth = await idle.ask('health')
  const problems = []
  const problem = (where, error) => problems.push(`${where}: ${String(error?.message ?? error).split('\n')[0]}`)

  /** Starts a contestant, hands it to `use`, and ends it whatever happens. */
  async function contestant(name, work, use) {
    const { file, work: own } = contestantNamed(name)
    // Unless a question says otherwise, subagents' answers come as a whole in the peers, which is the cheaper way there.
    const given = { ...DEFAULTS, streaming: !isPeer(name), url, ...work, ...own }
    const words = await wording(given.tool)
    const spawned = now()
    const child = spawnChild(file)
    try {
      const started = await child.ask('start', { ...given, ...words })
      return await use(child, { spawned, ...started })
    } catch (error) {
      child.kill()
      throw error
    } finally {
      await child.ask('close', {}, CLOSE_MS).catch(() => child.kill())
      await child.stop()
    }
  }

  /** The system prompts and tools that Troupe sends, which every contestant then sends too. */
  const wording = wordings(async (tool) => {
    if (!isBuilt()) return {}
    const capture = contestant(TROUPE, { tool }, async ({ ask }) => {
      await mock.ask('reset', { tool, check: true })
      await ask('measure', { runs: 1 })
      return (await mock.ask('stats')).samples
    })
    return capture.catch((error) => {
      problem('troupe: its prompts, for which plain ones stand in', error)
      return {}
    })
  })

  const warm = ({ ask }, runs) => ask('measure', { runs: Math.min(runs, 30), batches: Math.ceil(runs / 30) })

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
      }, child)
    })

  /** The same for one load alone. */
  const measure = (name, work, { warmup, poll, ...load }) =>
    session(name, work, { warmup, poll }, (once) => once(load))

  await contestant(FLOOR, {}, (child) => warm(child, options.quick ? 20 : 120)) // for the mock's sake
  return {
    ...options,
    mock,
    problems,
    wording: () => wording(DEFAULTS.tool),
    contestant,
    warm,
    session,
    measure,
    interleave: (entries, once, rounds = options.rounds) =>
      interleave({ ...options, rounds: Math.min(rounds, options.rounds), problem }, entries, once),
    close: () => Promise.all([idle.stop(), poller.stop(), mock.stop()]),
  }
}
