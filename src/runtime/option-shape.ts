import { nearest } from '../config/nearest.ts'
import { TroupeError } from '../contract/errors.ts'
import { isRecord } from '../contract/is-record.ts'

/** What is wrong with the value of an option, or `null`. */
export type OptionRule = (value: unknown) => string | null

/** A rule with one thing to say. */
export const must =
  (be: string, holds: (value: unknown) => boolean): OptionRule =>
  (value) =>
    holds(value) ? null : `must be ${be}`

export const invalid = (option: string, why: string): never => {
  throw new TroupeError('OPTIONS_INVALID', `${option} ${why}`)
}

export const TEXT = must('a text', (value) => typeof value === 'string')
export const FLAG = must('true or false', (value) => typeof value === 'boolean')
export const NUMBER = must('a number', (value) => typeof value === 'number' && !Number.isNaN(value))
export const OBJECT = must('an object', isRecord)
export const LIST = must('a list', Array.isArray)
export const FUNCTION = must('a function', (value) => typeof value === 'function')
export const PATH_OR_URL = must(
  'a path or a URL',
  (value) => typeof value === 'string' || (isRecord(value) && typeof value['href'] === 'string'),
)
/** By its shape: an embedder may bring a signal of another realm. */
export const SIGNAL = must(
  'an AbortSignal',
  (value) =>
    isRecord(value) && typeof value['aborted'] === 'boolean' && typeof value['addEventListener'] === 'function',
)

/**
 * Throws a `TroupeError` with code `OPTIONS_INVALID` for a key that nobody knows, which would otherwise be left out in
 * silence, and for a value of the wrong kind. `undefined` counts as left out.
 */
export const checkShape = (options: unknown, rules: Readonly<Record<string, OptionRule>>, of: string): void => {
  if (!isRecord(options)) invalid('options', `of ${of} must be an object`)
  for (const [key, value] of Object.entries(options as object)) {
    if (value === undefined) continue
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    const why = rule === undefined ? unknown(key, Object.keys(rules), of) : rule(value)
    if (why !== null) invalid(key, why)
  }
}

const unknown = (key: string, known: readonly string[], of: string): string => {
  const meant = nearest(key, known)
  return `is no option of ${of}: known are ${known.join(', ')}${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`
}
