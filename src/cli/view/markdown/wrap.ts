import { clustersOf, isPlain, widthOf } from '../text.ts'
import type { Line, Span } from './span.ts'

// Marks that do not begin a line of Chinese or Japanese, and those that do not end one.
const STAYS_BEHIND = /^[、。，．・：；！？）」』】〉》〕ー々]/u
const STAYS_BEFORE = /[（「『【〈《〔]$/u

/** Where a line may break inside a word without spaces: around each wide character. */
const breakable = (text: string): readonly string[] => {
  if (isPlain(text)) return [text]
  const parts: string[] = []
  let narrow = true
  for (const cluster of clustersOf(text)) {
    const wide = widthOf(cluster) > 1
    const last = parts.at(-1)
    const joined = last !== undefined && ((narrow && !wide) || STAYS_BEHIND.test(cluster) || STAYS_BEFORE.test(last))
    if (joined) parts.push(`${parts.pop()}${cluster}`)
    else parts.push(cluster)
    narrow = !wide
  }
  return parts
}

export const widthOfLine = (line: Line): number => line.reduce((sum, { text }) => sum + widthOf(text), 0)

interface Part {
  /** A run belongs to the one before it; before a piece the line may break. */
  readonly kind: 'run' | 'piece' | 'space' | 'line feed'
  readonly span: Span
}

const partsOf = ({ text, look }: Span): readonly Part[] =>
  text
    .split(/(\n|[ \t]+)/)
    .filter(Boolean)
    .flatMap((part): readonly Part[] => {
      if (part === '\n') return [{ kind: 'line feed', span: { text: '', look } }]
      if (/^[ \t]/.test(part)) return [{ kind: 'space', span: { text: ' ', look } }]
      return breakable(part).map((run, at) => ({ kind: at > 0 ? 'piece' : 'run', span: { text: run, look } }))
    })

/** What stays together on a line if it fits, with what separates it from the word before. */
interface Word {
  readonly before: 'line feed' | Span | null
  readonly pieces: Span[]
}

const wordsOf = (spans: readonly Span[]): readonly Word[] => {
  const words: Word[] = []
  let before: Word['before'] = null
  let open = false
  for (const { kind, span } of spans.flatMap(partsOf)) {
    if (kind === 'space') before = span
    else if (kind === 'line feed') words.push({ before: kind, pieces: [] })
    else if (kind === 'run' && open) words.at(-1)?.pieces.push(span)
    else words.push({ before, pieces: [span] })
    open = kind === 'run' || kind === 'piece'
    if (kind !== 'space') before = null
  }
  return words
}

const clusters = (line: Line): Line =>
  line.flatMap(({ text, look }) => Array.from(clustersOf(text), (cluster) => ({ text: cluster, look })))

/** Lines that grow: what does not fit on the last goes on a new one. */
const openLines = (width: number) => {
  const lines: Span[][] = [[]]
  let used = 0
  const newLine = () => {
    lines.push([])
    used = 0
  }
  const put = (piece: Span) => {
    const columns = widthOf(piece.text)
    if (used > 0 && used + columns > width) newLine()
    lines.at(-1)?.push(piece)
    used += columns
  }
  const word = ({ before, pieces }: Word) => {
    const columns = widthOfLine(pieces)
    const gap = before === 'line feed' || used === 0 ? [] : [before].filter((one) => one !== null)
    const fits = used === 0 || used + gap.length + columns <= width
    if (before === 'line feed' || !fits) newLine()
    else gap.forEach(put)
    for (const piece of columns > width ? clusters(pieces) : pieces) put(piece)
  }
  return { lines, word }
}

/** Sets spans in lines of at most `width` columns, broken at spaces, around wide characters, and inside what is longer. */
export const wrap = (spans: readonly Span[], width: number): readonly Line[] => {
  const { lines, word } = openLines(width)
  for (const one of wordsOf(spans)) word(one)
  return lines
}
