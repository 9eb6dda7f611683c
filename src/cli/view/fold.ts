import { PLAIN } from './markdown/span.ts'
import { wrap } from './markdown/wrap.ts'

/** Columns that text may take: all there are on a terminal, without bound elsewhere. */
export const roomIn = ({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  isTTY ? columns || 80 : Number.POSITIVE_INFINITY

/** Text in lines of at most `width` columns, folded between words. */
export const foldText = (text: string, width: number): string[] =>
  wrap([{ text, look: PLAIN }], width).map((spans) => spans.map((span) => span.text).join(''))

/** The same for a line that is indented or begins with `warning   ` or its like: the rest hangs below its text. */
export const fold = (line: string, width: number): string[] => {
  const [head = ''] = /^( +|\S+ {2,})/.exec(line) ?? []
  const indent = head.length < width / 2 ? head.length : 0
  return foldText(line.slice(indent), width - indent).map(
    (text, at) => (at === 0 ? line.slice(0, indent) : ' '.repeat(indent)) + text,
  )
}

/** The last `rows` rows of clean text, folded, blank ones left out. */
export const tail = (text: string, width: number, rows: number): string[] => {
  // Twice what fits, since folding leaves room at the ends of lines.
  const end = text.slice(-2 * width * (rows + 1)).replaceAll('\t', '  ')
  const lines = end.split('\n').flatMap((line) => (line.trim() === '' ? [] : fold(line.trimEnd(), width)))
  return rows > 0 ? lines.slice(-rows) : []
}
