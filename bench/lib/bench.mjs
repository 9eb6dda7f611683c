// Holds the mock and the idle control, and starts contestants beside them.
import { fileURLToPath } from 'node:url'
import { contestantNamed, FLOOR, isBuilt } from './contestants.mjs'
import { interleave } from './interleave.mjs'
import { now, spawnChild } from './ipc.mjs'
import { wordings } from './wording.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const DEFAULTS = { tasks: 3, turns: 5, tool: 'lookup', latency: 0 }
const CLOSE_MS = 15_000

export async function openBench(options) {
  const mock = spawnChild(here('../mock/server.mjs'))
  const idle = spawnChild(here('../idle.mjs'))
  const url = await mock.ask('url')
  const problems = []
  const problem = (where, error) => problems.push(`${where}: ${String(error?.message ?? error).split('\n')[0]}`)

  /** Starts a contestant, hands it to `use`, and ends it whatever happens. */
  async function contestant(name, work, use) {
    const { file, work: own } = contestantNamed(name)
    const given = { ...DEFAULTS, url, ...work, ...own }
    const words = await wording(given.tool)
    const spawned = now()
    const child = spawnChild(file)
    try {
      const started = await child.ask('start', { ...given, ...words })
      return await use(child, { spawned, ...started })
    } finally {
      await child.ask('close', {}, CLOSE_MS).catch((error) => problem(`${name}: close`, error))
      await child.stop()
    }
  }

  /** The system prompts and tools that Troupe sends, which every contestant then sends too. */
  const wording = wordings(async (tool) => {
    if (!isBuilt()) return {}
    const capture = contestant('troupe', { tool }, async ({ ask }) => {
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

  /** Warms a contestant in its own process, then measures it beside the idle control. */
  const measure = (name, work, { warmup = options.warmup, ...load }) =>
    contestant(name, work, async (child) => {
      await mock.ask('reset', { ...work, latency: 0, check: true })
      await warm(child, warmup)
      const { shapes, wrong } = await mock.ask('stats')
      await mock.ask('reset', work)
      await idle.ask('start')
      const result = await child.ask('measure', { ...load, burst: options.burst })
      const control = await idle.ask('stop')
      return { ...result, control, shapes, wrong, mock: await mock.ask('stats') }
    })

  await contestant(FLOOR, {}, (child) => warm(child, 120)) // for the mock's sake
  return {
    ...options,
    mock,
    problems,
    wording: () => wording(DEFAULTS.tool),
    contestant,
    warm,
    measure,
    interleave: (names, once) => interleave({ ...options, problem }, names, once),
    close: () => Promise.all([idle.stop(), mock.stop()]),
  }
}
