import { describeProblem } from '../config/load.ts'
import type { Log } from '../contract/api.ts'
import { oneLine } from './view/text.ts'

/** Tells a person what is to be known of a config that can be used: one line for each warning, as the runtime logs it. */
export const configNotes =
  (note: (line: string) => void): Log =>
  (level, message, { path, nearest } = {}) => {
    if (level !== 'warn' || typeof path !== 'string') return
    const near = typeof nearest === 'string' && { nearest }
    note(oneLine(describeProblem({ level: 'warning', path, code: '', message, ...near })))
  }
