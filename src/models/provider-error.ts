/// <reference lib="es2024.string" />
import { isRecord } from './wire.ts'

/** Characters kept of what a provider says went wrong. */
const WORDS_MAX = 500

/** The provider's own words, whatever shape its error has: a string, an object, a list of them, or a whole body. */
export const providerWords = (error: unknown): string => cut(wordsOf(error, 0))

/** The same from the text of a body, which may be JSON, plain text or a proxy's HTML page. */
export const providerWordsIn = (body: string): string => {
  try {
    return providerWords(JSON.parse(body))
  } catch {
    return cut(body.trimStart().startsWith('<') ? body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : body)
  }
}

interface ErrorFields {
  readonly error?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly errors?: unknown
  readonly code?: unknown
  readonly type?: unknown
}

const wordsOf = (error: unknown, depth: number): string => {
  if (typeof error === 'string') return error
  if (depth > 3 || error === null || error === undefined) return ''
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
