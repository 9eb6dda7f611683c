// Starts contestants, all with the wording that Troupe has.
import { contestantNamed, isBuilt, isPeer, TROUPE } from './contestants.mjs'
import { now, spawnChild } from './ipc.mjs'
import { wordings } from './wording.mjs'

const DEFAULTS = { tasks: 3, turns: 5, tool: 'lookup', latency: 0 }
const CLOSE_MS = 15_000

export function stageFor({ mock, url, problem }) {
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
      await child.ask('close', {}, CLOSE_MS).catch(child.kill)
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

  return { contestant, wording: () => wording(DEFAULTS.tool) }
}
