/** How a tool process came to its end. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** V8 said so before it gave up. */
  readonly outOfMemory: boolean
  /** What was wrong with its messages or its start, when that was the end of it. */
  readonly fault: string | null
  /** The end of what it wrote to stderr. */
  readonly stderr: string
}

const LAST_WORDS_MAX = 200

/** Lines that tell a person nothing: stack frames, rules, Node's own farewell. */
const NOISE = /^(\s*(at|\d+:)\s|\W*$|-+|Node\.js v)/

const lastWords = (stderr: string): string => {
  const line = stderr
    .split('\n')
    .findLast((text) => !NOISE.test(text))
    ?.trim()
  return line ? `: ${line.slice(0, LAST_WORDS_MAX)}` : ''
}

export const outOfMemory = (limitMb: number): string => `ran out of memory (limit ${limitMb} MB)`

export const timedOut = (ms: number): string => `timed out after ${ms / 1000} seconds and was stopped`

/** What the process did to its call, to be said after the tool's name. */
export const howItEnded = ({ code, signal, outOfMemory: memory, fault, stderr }: Ending, limitMb: number): string => {
  if (memory && code !== 0) return outOfMemory(limitMb)
  if (fault !== null) return fault
  if (signal === 'SIGKILL') return 'was killed (signal SIGKILL), perhaps because the machine ran out of memory'
  if (signal !== null) return `ended its process (signal ${signal})${lastWords(stderr)}`
  return `ended its process (exit code ${code})${code === 0 ? '' : lastWords(stderr)}`
}
