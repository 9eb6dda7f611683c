import { describeProblem } from '../config/load.ts'
import type { Log } from '../contract/api.ts'
import { oneLine } from './view/text.ts'

/** Tells a person what is to be known of a config that can be used: each warning of the runtime once, on one line. */
export const configNotes = (note: (line: string) => void): Log => {
  const said = new Set<string>()
  return (level, message, { path, nearest } = {}) => {
    if (level !== 'warn' || typeof path !== 'string') return
    const near = typeof nearest === 'string' && { nearest }
    const line = oneLine(describeProblem({ level: 'warning', path, code: '', message, ...near }))
    if (!said.has(line)) note(line)
    said.add(line)
  }
}
