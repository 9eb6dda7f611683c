const MARK = '\n...\n'

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The first `max` characters, one less where the cut would split a character. */
export const head = (text: string, max: number): string => {
  if (text.length <= max) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max)
}

/** The last `max` characters, one less where the cut would split a character. */
export const tail = (text: string, max: number): string => {
  if (text.length <= max) return text
  const from = text.length - max
  return text.slice(isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from)
}

/** Two thirds head and one third tail around a mark, never more than `max` characters. Source: contract/runtime §1.6. */
export const bound = (text: string, max: number): string => {
  if (text.length <= max) return text
  const ahead = Math.floor((2 * max) / 3)
  const behind = max - ahead - MARK.length
  if (behind <= 0 || max <= MARK.length) return head(text, max)
  return head(text, ahead) + MARK + tail(text, behind)
}

/** One line of at most `max` characters: white space collapsed, cut with an ellipsis. */
export const oneLine = (text: string, max: number): string => {
  const whole = text.trim()
  const line = head(whole, max * 4)
    .replace(/\s+/g, ' ')
    .trimEnd()
  return line.length <= max && whole.length <= max * 4 ? line : `${head(line, max - 1)}…`
}

export const isBlank = (text: string): boolean => text.trim() === ''
