import { toCatalogEntry } from '../catalog/entry.ts'
import type { Runtime, RuntimeOptions } from '../contract/api.ts'
import { TroupeError } from '../contract/errors.ts'
import type { Mount } from '../contract/tools.ts'
import { type Clock, systemClock } from './clock.ts'
import { createLiveSettings } from './live-settings.ts'
import { startMachinery } from './machinery.ts'
import { firstSettings, prepare } from './prepare.ts'
import { prewarmHost } from './prewarm.ts'
import { readStats } from './stats.ts'

/** What only Troupe's own outer parts and tests may set. */
export interface Internals {
  readonly extraMounts?: readonly Mount[]
  readonly clock?: Clock
}

/** Milliseconds after which idle threads warm up; a run that starts sooner has sent its first request by then. */
const PREWARM_AFTER_MS = 300

/**
 * Starts a runtime: its agent threads, and a tool process if the config names tools. Rejects with a `TroupeError` whose
 * code is `CONFIG_INVALID` and whose `problems` list everything that is wrong, or `OPTIONS_INVALID` and names the option.
 */
export const createRuntime = (options: RuntimeOptions = {}): Promise<Runtime> => openRuntime(options, {})

export const openRuntime = async (
  options: RuntimeOptions,
  { extraMounts = [], clock = systemClock }: Internals,
): Promise<Runtime> => {
  const prepared = await prepare(options, extraMounts)
  const { toolProcesses, ground } = prepared
  const { control, threads, commands, commandPlaces, supervisor, runs } = startMachinery(options, prepared, clock)

  const end = async (): Promise<void> => {
    // While the threads still live: a process is gone when the thread that started it has taken note of its end.
    await commands.close()
    await Promise.all([threads.close(), toolProcesses.close()])
    ground.aliases.close()
  }

  // While the threads start, which need none of it before the first agent.
  const settings = await firstSettings(prepared).catch(async (thrown) => {
    await end()
    throw thrown
  })
  const live = createLiveSettings({ ...prepared, settings, onForgotten: threads.forget })
  const warming = setTimeout(() => {
    threads.prewarm()
    void prewarmHost(settings)
  }, PREWARM_AFTER_MS).unref()
  let closing: Promise<void> | undefined

  const shutDown = async (drainMs: number): Promise<void> => {
    clearTimeout(warming)
    if (drainMs > 0) await drained(runs.settled(), drainMs, clock)
    live.close()
    for (const run of runs.active()) supervisor.stopRun(run, 'close', 'The runtime was closed')
    await runs.settled()
    await end()
  }

  const close = (drainMs: number): Promise<void> => {
    closing ??= shutDown(drainMs)
    return closing
  }

  return {
    run(prompt, runOptions = {}) {
      if (closing) throw new TroupeError('RUNTIME_CLOSED', 'The runtime is closed')
      return runs.start(prompt, runOptions, live)
    },
    runs: runs.list,
    getRun: runs.get,
    async subagents({ admin = false } = {}) {
      await live.refresh()
      return live.current().catalog.map((definition) => toCatalogEntry(definition, admin))
    },
    stats: () =>
      readStats({
        ...{ control, clock, active: runs.active, threads: threads.stats },
        toolProcesses: toolProcesses.stats,
        commands: commandPlaces.stats,
      }),
    close: ({ drainMs = 0 } = {}) => close(drainMs),
    [Symbol.asyncDispose]: () => close(0),
  }
}

const drained = async (settled: Promise<unknown>, drainMs: number, clock: Clock): Promise<void> => {
  let cancel = (): void => {}
  const patience = new Promise<void>((over) => {
    cancel = clock.after(drainMs, over)
  })
  await Promise.race([settled, patience])
  cancel()
}
