import { isRecord } from '../contract/is-record.ts'
/// <reference lib="es2024.string" />

/** What a provider says went wrong, whatever shape it says it in. */
export interface ProviderError {
  readonly words: string
  /** The HTTP status it stands for, as far as it says. */
  readonly status: number | null
  /** What is used up does not come back by waiting. */
  readonly isQuota: boolean
}

/** Characters kept of what a provider says went wrong. */
const WORDS_MAX = 500

/** Reads an error that is a string, an object, a list of them, or a whole body. */
export const providerError = (error: unknown): ProviderError => {
  const labels = labelsIn(error, 0)
  const words = cut(wordsOf(error, 0))
  const isQuota = labels.some((label) => QUOTA_LABELS.has(label)) || QUOTA_WORDS.test(words)
  return { words, status: labels.map(statusOf).find((status) => status !== null) ?? null, isQuota }
}

/** The same from the text of a body, which may be JSON, plain text or a proxy's HTML page. */
export const providerErrorIn = (body: string): ProviderError => {
  try {
    return providerError(JSON.parse(body))
  } catch {
    const isPage = body.trimStart().startsWith('<')
    return providerError(isPage ? body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : body)
  }
}

interface ErrorFields {
  readonly error?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly errors?: unknown
  readonly code?: unknown
  readonly status?: unknown
  readonly type?: unknown
}

/** Errors lie inside one another this deep at most. */
const DEPTH_MAX = 3

const wordsOf = (error: unknown, depth: number): string => {
  if (typeof error === 'string') return error
  if (depth > DEPTH_MAX || error === null || error === undefined) return ''
  if (Array.isArray(error)) return wordsOf(error[0], depth + 1)
  if (!isRecord(error)) return String(error)
  const { error: inner, message, detail, errors, code, type } = error as ErrorFields
  const words = [inner, message, detail, errors].map((part) => wordsOf(part, depth + 1)).find((part) => part !== '')
  if (words === undefined) return JSON.stringify(error)
  const label = code ?? type
  const labelled = typeof label === 'number' || (typeof label === 'string' && label !== '' && !words.includes(label))
  return labelled ? `${words} (${label})` : words
}

/** Cuts between words where it can: half of a key that a provider repeats would not be known as one. */
const cut = (words: string): string => {
  const line = words.replace(/\s+/g, ' ').trim()
  if (line.length <= WORDS_MAX) return line
  const kept = line.slice(0, WORDS_MAX - 1)
  const space = kept.lastIndexOf(' ')
  return `${space > 0 ? kept.slice(0, space) : kept}…`.toWellFormed()
}

/** Codes, types and statuses, the outermost first. */
const labelsIn = (error: unknown, depth: number): readonly string[] => {
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(error)) return labelsIn(error[0], depth + 1)
  if (!isRecord(error)) return []
  const { error: inner, code, status, type } = error as ErrorFields
  const own = [status, code, type].filter((label) => typeof label === 'number' || typeof label === 'string')
  return [...own.map((label) => String(label).toLowerCase()), ...labelsIn(inner, depth + 1)]
}

const statusOf = (label: string): number | null => {
  const number = Number(label)
  if (number >= 400 && number <= 599) return number
  return STATUSES.find(([words]) => words.test(label))?.[1] ?? null
}

/** Words that providers use for a status. The first that fits counts. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_many_requests|resource_exhausted|throttl/, 429],
  [/overloaded|unavailable/, 503],
  [/timeout|deadline_exceeded/, 504],
  [/internal|server_error|api_error|bad_gateway/, 500],
  [/authentication|unauthenticated|invalid_api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/invalid|context_length|too_long|bad_request|unsupported/, 400],
]

const QUOTA_LABELS = new Set([
  'insufficient_quota',
  'quota_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_balance',
  'insufficient_credits',
  'credits_exhausted',
])
const QUOTA_WORDS = /exceeded your current quota|insufficient (quota|balance|credits?)|credit balance is too low/i
