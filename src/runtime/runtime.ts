import { resolve } from 'node:path'
import { toCatalogEntry } from '../catalog/catalog.ts'
import { configInvalid, loadConfig } from '../config/load.ts'
import { toModelSettings, toMounts, toRuntimeSettings } from '../config/settings.ts'
import type { Runtime, RuntimeOptions } from '../contract/api.ts'
import { TroupeError } from '../contract/errors.ts'
import { SETTLE_MS } from '../contract/limits.ts'
import type { Mount } from '../contract/tools.ts'
import { allocateControl } from '../control/control.ts'
import { createCalls } from './calls.ts'
import { type Clock, systemClock } from './clock.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createHostTools } from './host-tools.ts'
import { loadTools } from './load-tools.ts'
import { planTask } from './plan.ts'
import { createRuns } from './runs.ts'
import { createRunSettings } from './settings.ts'
import { readStats } from './stats.ts'
import { createSupervisor } from './supervisor.ts'
import { createThreads, threadPlaces } from './threads.ts'
import { createToolProcesses } from './tool-processes/pool.ts'

/** What only Troupe's own outer parts and tests may set. */
export interface Internals {
  readonly extraMounts?: readonly Mount[]
  readonly clock?: Clock
}

/** Milliseconds after which idle threads warm up; a run that starts sooner has sent its first request by then. */
const PREWARM_AFTER_MS = 300

/**
 * Starts a runtime: its agent threads, and a tool process if the config names tools. Rejects with a `TroupeError` whose
 * code is `CONFIG_INVALID` and whose `problems` list everything that is wrong.
 */
export const createRuntime = (options: RuntimeOptions = {}): Promise<Runtime> => openRuntime(options, {})

export const openRuntime = async (options: RuntimeOptions, { extraMounts = [], clock = systemClock }: Internals): Promise<Runtime> => {
  const { env = process.env, hostTools = [], log = () => {} } = options
  const { config, baseDir, source, problems } = await loadConfig({ config: options.config, env })
  for (const { path, message } of problems) log('warn', message, { path })
  const home = resolve(options.home ?? env['TROUPE_HOME'] ?? '.troupe')
  const sizes = toRuntimeSettings(config)
  const { graceMs } = sizes

  const toolProcesses = createToolProcesses({
    url: new URL('./tool-process.js', import.meta.url),
    count: sizes.toolProcesses,
    memoryMb: sizes.toolMemoryMb,
    graceMs,
    env: withoutModelKeys(env, config.models),
    cwd: baseDir,
    log,
  })
  const tools = await loadTools(config, baseDir, hostTools, toolProcesses)
  for (const { path, message } of tools.problems) log('warn', message, { path })
  if (tools.problems.some(({ level }) => level === 'error')) {
    await toolProcesses.close()
    throw configInvalid([...problems, ...tools.problems], source)
  }
  const settings = createRunSettings(config, {
    revision: 1,
    models: toModelSettings(config, env),
    tools: tools.specs,
    mounts: [...toMounts(config, baseDir), ...extraMounts],
    home,
    graceMs,
  })

  const control = allocateControl(threadPlaces(sizes.threads), slotCount(sizes.threads, sizes.agentsPerThread))
  const threads = createThreads({
    workerUrl: new URL(options.workerUrl ?? './worker.js', import.meta.url),
    count: sizes.threads,
    control,
    onMessage: (thread, message) => supervisor.receive(thread, message),
    onReady: () => supervisor.threadReady(),
    onGone: (thread) => supervisor.threadGone(thread),
    onBroken: (reason) => supervisor.broken(reason),
  })
  const calls = createCalls({ threads, toolProcesses, hostTools: createHostTools(hostTools, clock) })
  const supervisor = createSupervisor({
    control,
    clock,
    log,
    threads,
    perThread: sizes.agentsPerThread,
    settleMs: Math.min(SETTLE_MS, graceMs),
    ready: () => threads.usable().filter((thread) => !heartbeats.isQuiet(thread)),
    planTask,
    startCall: calls.start,
    abortCall: calls.abort,
  })
  const heartbeats = createHeartbeats({
    control,
    clock,
    wedgedMs: sizes.wedgedMs,
    busy: supervisor.busy,
    onWedged: (thread) => supervisor.giveUp(thread, `The agent thread gave no sign of life for ${sizes.wedgedMs} ms.`),
    onBack: supervisor.threadReady,
  })
  const runs = createRuns({ clock, supervisor, onBusy: (busy) => (busy ? heartbeats.start() : heartbeats.stop()) })
  const warming = setTimeout(() => threads.prewarm(), PREWARM_AFTER_MS).unref()

  let closing: Promise<void> | undefined
  const close = async (drainMs: number): Promise<void> => {
    clearTimeout(warming)
    if (drainMs > 0) await Promise.race([runs.settled(), new Promise<void>((over) => clock.after(drainMs, over))])
    for (const run of runs.active()) supervisor.stopRun(run, 'close', 'The runtime was closed')
    await runs.settled()
    heartbeats.stop()
    await Promise.all([threads.close(), toolProcesses.close()])
  }

  return {
    run(prompt, runOptions = {}) {
      if (closing) throw new TroupeError('RUNTIME_CLOSED', 'The runtime is closed')
      return runs.start(prompt, runOptions, settings)
    },
    runs: runs.list,
    getRun: runs.get,
    subagents: async ({ admin = false } = {}) => settings.catalog.map((definition) => toCatalogEntry(definition, admin)),
    stats: () => readStats({ control, clock, active: runs.active, threads: threads.stats, toolProcesses: toolProcesses.stats }),
    close({ drainMs = 0 } = {}) {
      closing ??= close(drainMs)
      return closing
    },
    [Symbol.asyncDispose]() {
      closing ??= close(0)
      return closing
    },
  }
}

/** A lead and a subagent for every place, and as many again for agents that a retired thread still holds. */
const slotCount = (threads: number, perThread: number): number => threads * perThread * 4

/** The environment for tools: a model's key is no business of theirs. */
const withoutModelKeys = (
  env: Readonly<Record<string, string | undefined>>,
  models: readonly { readonly api_key: string | null }[],
): Readonly<Record<string, string | undefined>> => {
  const named = models.flatMap(({ api_key: key }) => key?.match(/^\$\{?(\w+)\}?$/)?.[1] ?? [])
  const keys = new Set(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', ...named])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)))
}
