import { isDeepStrictEqual } from 'node:util'
import { describeProblem } from '../config/load.ts'
import type { Log } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'
import { createHolders } from './holders.ts'
import { logProblems } from './log-problems.ts'
import { waitsForRestart } from './restart.ts'
import type { RunSettings } from './settings.ts'

/** What came of the config file so far: the last settings that were good, and what runs have to know about it. */
export interface SettingsInForce {
  current(): RunSettings
  /** An edit came to these settings. */
  accept(next: RunSettings, problems: readonly Problem[]): void
  /** An edit is wrong: what is in force stays. */
  refuse(problems: readonly Problem[]): void
  take(): { readonly settings: RunSettings; readonly notices: readonly string[] }
  release(settings: RunSettings): void
}

interface Options {
  readonly path: string
  /** What the runtime was started with. */
  readonly first: RunSettings
  readonly log: Log
  onForgotten(revision: number): void
}

const BROKEN = 'The config was edited and cannot be used, so the last good one stays in force'
/** Problems that a run is told of; all of them are in the log. */
const TOLD_MAX = 3

export const createSettingsInForce = ({ path, first, log, onForgotten }: Options): SettingsInForce => {
  const holders = createHolders(onForgotten)
  let settings = first
  /** Why the file as it is cannot be used; every run is told as long as that is so. */
  let broken: string | null = null
  /** What only the next run is told. */
  let news: readonly string[] = []

  return {
    current: () => settings,
    accept(next, problems) {
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
    },
    refuse(problems) {
      const why = `${BROKEN} (${path}): ${shortly(problems)}`
      if (why === broken) return
      broken = why
      log('error', BROKEN, { file: path, problems })
    },
    take() {
      const notices = broken === null ? news : [broken, ...news]
      news = []
      holders.add(settings)
      return { settings, notices }
    },
    release: holders.remove,
  }
}

const shortly = (problems: readonly Problem[]): string => {
  const errors = problems.filter(({ level }) => level === 'error').map(describeProblem)
  const more = errors.length > TOLD_MAX ? ` (and ${errors.length - TOLD_MAX} more)` : ''
  return `${errors.slice(0, TOLD_MAX).join('; ')}${more}`
}

/** Whether an edit has changed anything: not if only comments, the order of keys or the file's time are others. */
const isSame = (one: RunSettings, other: RunSettings): boolean =>
  isDeepStrictEqual(one.config, other.config) &&
  isDeepStrictEqual({ ...one.thread, revision: 0 }, { ...other.thread, revision: 0 })
