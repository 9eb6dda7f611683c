import stringWidth from 'string-width'

// Built from strings, since control characters in a pattern literal are unreadable.
const ESC = '\\u001b'
const BEL = '\\u0007'
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]`, // CSI: colours, cursor, modes
    `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${BEL}${ESC}\\u009c]*(?:${BEL}|${ESC}\\\\|\\u009c)`, // OSC, DCS and their kin
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)
const CONTROL = /[^\P{Cc}\n\t]/gu
// Embeddings, overrides and isolates: they would reorder the columns beside a label.
const BIDI = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g

/** Text of a model or a user, safe to write to a terminal: lines and tabs stay, everything that drives the terminal goes. */
export const clean = (text: string): string =>
  text.replace(SEQUENCES, '').replaceAll('\r\n', '\n').replace(CONTROL, '').toWellFormed()

/** The same without the marks that reorder what stands beside them: every letter shows where it was written. */
export const cleanVisible = (text: string): string => clean(text).replace(BIDI, '')

const unbroken = (text: string): string => cleanVisible(text.slice(0, LABEL_MAX)).replace(/\s+/g, ' ')

/** The same as one line. */
export const oneLine = (text: string): string => unbroken(text).trim()

/** A line of ours with texts of others in it. Each is cleaned alone: half a sequence at its end swallows none of ours. */
export const lineOf = (ours: TemplateStringsArray, ...others: readonly string[]): string =>
  String.raw({ raw: ours }, ...others.map(unbroken))

// A label is cut to the terminal's width anyway; this bounds the work before.
const LABEL_MAX = 4096
// Longer clusters are letters under a pile of marks, which would spill over the lines above.
const CLUSTER_MAX = 32
const segmenter = new Intl.Segmenter()

// Segmenting a text at once takes time that grows with the square of its length.
const WINDOW = 1024

/** What a reader takes for single characters. */
export const clustersOf = function* (text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const found = Array.from(segmenter.segment(text.slice(at, at + WINDOW)), ({ segment }) => segment)
    // The last may go on beyond the window.
    const whole = at + WINDOW < text.length && found.length > 1 ? found.slice(0, -1) : found
    for (const segment of whole) {
      at += segment.length
      yield segment.length > CLUSTER_MAX ? String.fromCodePoint(segment.codePointAt(0) ?? 32) : segment
    }
  }
}

// Most cells are plain, and segmenting is what a picture costs.
export const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

// Kana, Han and Hangul: common enough to be worth an answer without segmenting.
const isWide = (text: string): boolean => /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+$/.test(text)

export const widthOf = (text: string): number => {
  if (isPlain(text)) return text.length
  return isWide(text) ? 2 * text.length : stringWidth(text)
}

/** At most `width` columns of one line of clean text; what is left out shows as an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (width <= 0) return ''
  if (isPlain(text)) return text.length <= width ? text : `${text.slice(0, width - 1)}…`
  let head = ''
  let used = 0
  for (const cluster of clustersOf(text.slice(0, LABEL_MAX))) {
    const columns = widthOf(cluster)
    if (used + columns > width) return `${fit(head, width - 1)}…`
    head += cluster
    used += columns
  }
  return head
}

const fit = (text: string, width: number): string => {
  let head = ''
  let used = 0
  for (const cluster of clustersOf(text)) {
    used += widthOf(cluster)
    if (used > width) break
    head += cluster
  }
  return head
}

/** Cut or filled up to exactly `width` columns. */
export const pad = (text: string, width: number, side: 'left' | 'right' = 'left'): string => {
  const shown = cut(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return side === 'left' ? shown + space : space + shown
}
