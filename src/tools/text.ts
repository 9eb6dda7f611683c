import { head } from '../policy/bound.ts'

const CONTROLS = /[^\P{Cc}\t\n\r]/gu
const ALL_CONTROLS = /\p{Cc}/gu
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const SHOWN_MAX = 300

const picture = (char: string): string => {
  const code = char.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** Control characters as their pictures, one for one; tabs and line ends stay. They steer terminals, and some APIs refuse them. */
export const showControls = (text: string): string => text.replace(CONTROLS, picture)

/** A name or path on one line. */
export const showPath = (path: string): string => path.replace(ALL_CONTROLS, picture).replace(LONE_SURROGATES, '\ufffd')

/** A path as a model wrote it, for an error text. */
export const showGiven = (path: unknown): string => {
  if (typeof path !== 'string') return `(${path === null ? 'null' : Array.isArray(path) ? 'a list' : typeof path})`
  if (path === '') return '(empty)'
  return path.length <= SHOWN_MAX ? showPath(path) : `${showPath(head(path, SHOWN_MAX))}…`
}

/**
 * The beginning of a text of `total` characters with a mark that says so, together at most `limit`. `start` holds the
 * text's first `limit` characters, or all of it.
 */
export const cutHead = (start: string, total: number, limit: number, hint: string, more = ''): string => {
  if (limit <= 0 || total <= limit) return start
  const mark = (shown: number) => `\n... [truncated: showing first ${shown} of ${total}${more} chars. ${hint}] ...`
  const room = limit - mark(total).length
  if (room <= 0) return head(start, limit)
  const shown = head(start, room)
  return shown + mark(shown.length)
}
