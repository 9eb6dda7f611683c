import { isDeepStrictEqual } from 'node:util'
import { type EditsOptions, watchEdits } from '../config/edits.ts'
import { describeProblem, type LoadedConfig, loadConfig } from '../config/load.ts'
import { messageOf, type Problem, TroupeError } from '../contract/errors.ts'
import { buildSettings, type Ground } from './build-settings.ts'
import { createHolders } from './holders.ts'
import { logProblems } from './log-problems.ts'
import { waitsForRestart } from './restart.ts'
import type { RunSettings } from './settings.ts'

/** The settings in force. An edit of the config file takes effect for the runs that start after it. */
export interface LiveSettings {
  current(): RunSettings
  /** Whether the file has been edited since it was last read. */
  isStale(): boolean
  /** Resolves once an edit has been read, or at once. Never rejects: after an edit that is wrong the last good settings stay. */
  refresh(): Promise<void>
  /** The settings in force, for a run that holds to them from here on, and what it has to be told about them. */
  take(): { readonly settings: RunSettings; readonly notices: readonly string[] }
  /** A run that had taken them is over. */
  release(settings: RunSettings): void
  /** Nothing is read any more, and nobody waits for what is being read. */
  close(): void
}

export interface LiveOptions {
  readonly loaded: LoadedConfig
  readonly settings: RunSettings
  readonly ground: Ground
  /** When the config began to be read, in milliseconds since the epoch. */
  readonly since: number
  /** What the file system's own clock is compared to. */
  readonly time?: Pick<EditsOptions, 'now' | 'wait'>
  /** No run holds to this revision, and none ever will. */
  onForgotten(revision: number): void
}

export const createLiveSettings = (options: LiveOptions): LiveSettings => {
  const { path } = options.loaded.source
  return path === null ? fixedSettings(options.settings) : following(options, path)
}

/** A config that is no file: there is nothing to read again. */
export const fixedSettings = (settings: RunSettings): LiveSettings => ({
  current: () => settings,
  isStale: () => false,
  refresh: async () => {},
  take: () => ({ settings, notices: [] }),
  release: () => {},
  close: () => {},
})

const SYSTEM_TIME = {
  now: Date.now,
  wait: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** How often a file is read that is changed while it is read. */
const READS_MAX = 3
/** Problems that a run is told of; all of them are in the log. */
const TOLD_MAX = 3

const following = (
  { settings: first, ground, since, time = SYSTEM_TIME, onForgotten }: LiveOptions,
  path: string,
): LiveSettings => {
  const edits = watchEdits(path, { ...time, since })
  const holders = createHolders(onForgotten)
  const { log } = ground
  let settings = first
  /** Why the file as it is cannot be used; every run is told as long as that is so. */
  let broken: string | null = null
  /** What only the next run is told. */
  let news: readonly string[] = []
  let reading: Promise<void> | null = null
  let close = (): void => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })

  const refuse = (problems: readonly Problem[]): void => {
    const said = problems.filter(({ level }) => level === 'error').map(describeProblem)
    const more = said.length > TOLD_MAX ? ` (and ${said.length - TOLD_MAX} more)` : ''
    const why = `The config ${path} was edited and cannot be used, so the last good one stays in force: ${said.slice(0, TOLD_MAX).join('; ')}${more}`
    if (why === broken) return
    broken = why
    log('error', 'The config was edited and cannot be used, so the last good one stays in force', {
      file: path,
      problems,
    })
  }

  const accept = (next: RunSettings, problems: readonly Problem[]): void => {
    if (broken !== null) log('info', 'The config can be used again', { file: path })
    broken = null
    if (isSame(next, settings)) return
    const waiting = waitsForRestart(first.config, next.config)
    const { revision } = next.thread
    log('info', 'The config was edited, which takes effect for the runs that start now', { file: path, revision })
    logProblems(log, [...problems, ...waiting])
    news = waiting.map((each) => `The config ${path} was edited: ${each.path} ${each.message}`)
    holders.replace(settings)
    settings = next
  }

  const read = async (): Promise<void> => {
    for (let reads = 1; ; reads++) {
      await edits.settle()
      const { next, problems } = await readSettings(path, settings.thread.revision + 1, ground)
      if (edits.pending() && reads < READS_MAX) continue
      if (next === null) refuse(problems)
      else accept(next, problems)
      return
    }
  }

  return {
    current: () => settings,
    isStale: () => reading !== null || edits.pending(),
    async refresh() {
      if (reading === null && edits.pending()) {
        reading = read().finally(() => {
          reading = null
        })
      }
      if (reading !== null) await Promise.race([reading, closed])
    },
    take() {
      const notices = broken === null ? news : [broken, ...news]
      news = []
      holders.add(settings)
      return { settings, notices }
    },
    release: holders.remove,
    close,
  }
}

/** The settings that the file comes to now; `null` with what is wrong with it. */
const readSettings = async (
  path: string,
  revision: number,
  ground: Ground,
): Promise<{ readonly next: RunSettings | null; readonly problems: readonly Problem[] }> => {
  try {
    const { env, hostTools } = ground
    const loaded = await loadConfig({ config: path, env, hostTools: hostTools.map(({ name }) => name) })
    const { settings, problems } = await buildSettings(loaded, revision, ground)
    return { next: settings, problems: [...loaded.problems, ...problems] }
  } catch (thrown) {
    const known = thrown instanceof TroupeError ? thrown.problems : []
    const unknown: Problem = { level: 'error', path: '', code: 'internal', message: messageOf(thrown) }
    return { next: null, problems: known.length > 0 ? known : [unknown] }
  }
}

/** Whether an edit has changed anything: not if only comments, the order of keys or the file's time are others. */
const isSame = (one: RunSettings, other: RunSettings): boolean =>
  isDeepStrictEqual(one.config, other.config) &&
  isDeepStrictEqual({ ...one.thread, revision: 0 }, { ...other.thread, revision: 0 })
