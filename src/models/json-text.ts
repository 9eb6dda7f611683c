/// <reference lib="es2024.string" />

/** How `JSON.stringify` begins an unpaired surrogate; it writes every whole character as it is. */
const UNPAIRED = '\\ud'

/**
 * JSON in which every string is well formed: half a character, as left by a cut in the wrong place, makes strict
 * providers refuse the request. One search over the finished text is cheaper than a look at each string.
 */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.includes(UNPAIRED) ? JSON.stringify(value, wellFormed) : text
}

const wellFormed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)
