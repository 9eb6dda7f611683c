const byte = (value: number): string => {
  const char = String.fromCharCode(value)
  if (char === "'" || char === '\\') return `\\${char}`
  return /[ -~]/.test(char) ? char : `\\x${value.toString(16).padStart(2, '0')}`
}

/**
 * Text as one word for a POSIX shell. With characters in it that a terminal obeys, it is spelled out byte by byte, as
 * bash, zsh and ksh read it.
 */
export const shellWord = (text: string): string => {
  if (/^[\w%+,./:=@-]+$/.test(text)) return text
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return `$'${Array.from(Buffer.from(text), byte).join('')}'`
  return `'${text.replaceAll("'", `'\\''`)}'`
}
