import type { Log } from '../contract/api.ts'
import { problemLine } from './problem-line.ts'

/**
 * Tells a person what is to be known of a config that can be used: each warning of the runtime once, on one line. What
 * else the runtime logs goes to `others`.
 */
export const configNotes = (note: (line: string) => void, others: Log = () => {}): Log => {
  const said = new Set<string>()
  return (level, message, fields = {}) => {
    const { path, nearest } = fields
    if (level !== 'warn' || typeof path !== 'string') return others(level, message, fields)
    const near = typeof nearest === 'string' && { nearest }
    const line = problemLine({ level: 'warning', path, code: '', message, ...near })
    if (!said.has(line)) note(line)
    said.add(line)
  }
}
