import { head, tail } from '../../policy/bound.ts'
import { createTerminalText } from './terminal-text.ts'

/** Characters kept of one stream, half of them from its beginning and half from its end. */
const KEPT_MAX = 10 * 1024 * 1024
const SAMPLED = 8192
/** Fewer characters tell too little. */
const SAMPLED_MIN = 64
const GARBLED_MAX = 0.3

const isGarbled = (text: string): boolean => {
  const sample = text.slice(0, SAMPLED)
  // What cannot be read, and controls, which stand here as their pictures.
  const bad = sample.match(/[\ufffd\u2400-\u2421]/g)?.length ?? 0
  return sample.length >= SAMPLED_MIN && bad > sample.length * GARBLED_MAX
}

/** One output stream of a command as text. */
export interface Capture {
  feed(bytes: Buffer): void
  /** All that is kept, without line ends at the end. Call once, when no more is to come. */
  end(): string
}

export const createCapture = (limit = KEPT_MAX): Capture => {
  const half = Math.floor(limit / 2)
  // One decoder for the stream: a character may come in two pieces. What is not UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder()
  let bytes = 0
  let isBinary = false
  let judged = false
  let first = ''
  let last: string[] = []
  let lastLength = 0
  let dropped = 0

  const keepLast = (text: string): void => {
    last.push(text)
    lastLength += text.length
    while (last[0] !== undefined && lastLength - last[0].length >= half) {
      lastLength -= last[0].length
      dropped += last[0].length
      last.shift()
    }
  }
  const terminal = createTerminalText((text) => {
    const room = last.length === 0 ? half - first.length : 0
    const beginning = room > 0 ? head(text, room) : ''
    first += beginning
    if (!judged) isBinary = isGarbled(first)
    judged ||= first.length >= SAMPLED
    if (beginning.length < text.length) keepLast(text.slice(beginning.length))
  })

  const text = (): string => {
    const joined = last.join('')
    const end = tail(joined, half)
    const left = dropped + joined.length - end.length
    return first + (left > 0 ? `\n... [${left} chars in the middle were not kept] ...\n` : '') + end
  }

  return {
    feed(chunk) {
      bytes += chunk.length
      // Of what is not shown anyway only the size is of interest.
      if (isBinary && judged) return
      terminal.feed(decoder.decode(chunk, { stream: true }))
    },
    end() {
      terminal.feed(decoder.decode())
      terminal.end()
      const whole = isBinary ? `(binary data, ${bytes} bytes: not shown)` : text().replace(/\n+$/, '')
      last = []
      return whole
    },
  }
}
