import type { ToolCall } from '../contract/messages.ts'

type Args = ToolCall['args']

/** Arguments that say what a call is about. Beside one of them, all others (limits, labels, offsets) are cosmetic. */
const SALIENT = ['path', 'url', 'query', 'command', 'pattern', 'glob', 'cmd'] as const
/** Tools for which other arguments are another act, however alike the rest is. */
const WHOLE: ReadonlySet<string> = new Set(['write_file', 'str_replace'])
/** Lines of a file that count as one place. */
const LINES = 200
/** Below this, arguments are no longer told apart: a model can nest them deeper than a stack is. */
const DEPTH_MAX = 32

/** What a call comes to, so that two that mean the same are the same text. Source: contract/runtime §4.1, §4.2. */
export const loopKey = ({ name, args, invalid }: ToolCall): string => `${name} ${invalid ?? meaningOf(name, args)}`

const meaningOf = (name: string, args: Args): string => {
  if (WHOLE.has(name)) return canonical(args)
  if (name === 'read_file') return `${canonical(args['path'] ?? null)} ${placeOf(args)}`
  // The label of a delegation is for people; its prompt is what is asked for.
  if (name === 'task') return canonical({ ...args, description: undefined })
  return salient(args) ?? canonical(args)
}

const salient = (args: Args): string | null => {
  let text: string | null = null
  for (const key of SALIENT) {
    const value = args[key]
    if (value !== undefined && value !== null) text = `${text ?? ''}${key} ${canonical(value)} `
  }
  return text
}

const lineOf = (value: unknown, otherwise: number): number => {
  const line = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof line === 'number' && Number.isFinite(line) ? Math.max(1, line) : otherwise
}

/** The stretches of lines that a call reads: a line more or less does not make another call of it. */
const placeOf = ({ start_line: from, end_line: to }: Args): string => {
  const start = lineOf(from, 1)
  const end = lineOf(to, start)
  const bucket = (line: number): number => Math.floor((line - 1) / LINES)
  return `${bucket(Math.min(start, end))}-${bucket(Math.max(start, end))}`
}

/** JSON whose keys are in one order. Nothing that JSON cannot hold is in arguments, but a key may be left out. */
const canonical = (value: unknown, depth = 0): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (depth === DEPTH_MAX) return '…'
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, depth + 1)}`).join()}}`
}

/**
 * A text as a number of 53 bits (cyrb53). Written files are among the keys, so the keys themselves are not kept; two
 * of the twenty that are remembered fall together by chance once in 10^13 times.
 */
const hash = (text: string): number => {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** Calls made at once, as one number; their order does not matter, how often each comes does. */
export const hashCalls = (calls: readonly ToolCall[]): number => {
  const [first] = calls
  if (first !== undefined && calls.length === 1) return hash(loopKey(first))
  const each = calls.map((call) => hash(loopKey(call)))
  return hash(each.sort((a, b) => a - b).join())
}
