import { type EditsOptions, watchEdits } from '../config/edits.ts'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { messageOf, type Problem, TroupeError } from '../contract/errors.ts'
import { buildSettings, type Ground } from './build-settings.ts'
import type { RunSettings } from './settings.ts'
import { createSettingsInForce, type SettingsInForce } from './settings-in-force.ts'

/** The settings in force. An edit of the config file takes effect for the runs that start after it. */
export interface LiveSettings extends Pick<SettingsInForce, 'current' | 'take' | 'release'> {
  /** Whether the file has been edited since it was last read. */
  isStale(): boolean
  /** Resolves once an edit has been read, or at once. Never rejects: after an edit that is wrong the last good settings stay. */
  refresh(): Promise<void>
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

const following = (
  { settings, ground, since, time = SYSTEM_TIME, onForgotten }: LiveOptions,
  path: string,
): LiveSettings => {
  const edits = watchEdits(path, { ...time, since })
  const { accept, refuse, ...inForce } = createSettingsInForce({ path, first: settings, log: ground.log, onForgotten })
  let reading: Promise<void> | null = null
  let isClosed = false
  let announceClose = (): void => {}
  const closed = new Promise<void>((resolve) => {
    announceClose = resolve
  })

  const read = async (left: number): Promise<void> => {
    await edits.settle()
    const { next, problems } = await readSettings(path, inForce.current().thread.revision + 1, ground)
    if (isClosed) return
    if (left > 1 && edits.pending()) return read(left - 1)
    if (next === null) refuse(problems)
    else accept(next, problems)
  }

  return {
    ...inForce,
    isStale: () => reading !== null || edits.pending(),
    async refresh() {
      if (reading === null && !isClosed && edits.pending()) {
        reading = read(READS_MAX).finally(() => {
          reading = null
        })
      }
      if (reading !== null) await Promise.race([reading, closed])
    },
    close() {
      isClosed = true
      announceClose()
    },
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
