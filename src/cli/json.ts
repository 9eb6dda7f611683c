// JSON.stringify leaves these as they are, and a terminal obeys some of them.
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/g

/** JSON that is one line, and harmless on a terminal. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(UNESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
