// JSON.stringify leaves these as they are: a terminal obeys some of them, others turn the direction of what follows.
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON that is harmless on a terminal; `indent` spreads it over lines. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(UNESCAPED, escaped)

/** The same as one line. */
export const jsonLine = (value: unknown): string => `${jsonText(value)}\n`
