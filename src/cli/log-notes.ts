import type { Log } from '../contract/api.ts'
import { cleanVisible, oneLine } from './view/text.ts'

// As wide as the words that progress begins its lines with, so that both stand in columns.
const LABEL = 10

const shown = (value: unknown): string => oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

// A tool on an agent thread may print as much as it likes.
const TEXT_MAX = 20_000

const linesOf = (text: string): readonly string[] => cleanVisible(text.slice(0, TEXT_MAX)).trimEnd().split('\n')

/** Everything that the runtime has to say, for a person who looks for a fault; what a tool printed stands line by line. */
export const logNotes =
  (note: (line: string) => void): Log =>
  (level, message, { text, ...fields } = {}) => {
    const [first = '', ...rest] = linesOf(message)
    const printed = typeof text === 'string' ? linesOf(text) : []
    const data = Object.entries(fields).map(([name, value]) => `${name} ${shown(value)}`)
    const about = data.length > 0 ? ` (${data.join(', ')})` : ''
    note(`${level.padEnd(LABEL)}${oneLine(first)}${about}`)
    for (const line of [...rest, ...printed]) note(' '.repeat(LABEL) + line)
  }
