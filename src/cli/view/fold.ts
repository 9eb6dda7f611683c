import { PLAIN } from './markdown/span.ts'
import { wrap } from './markdown/wrap.ts'

/** Text in lines of at most `width` columns, folded between words. */
export const foldText = (text: string, width: number): string[] =>
  wrap([{ text, look: PLAIN }], width).map((spans) => spans.map((span) => span.text).join(''))

/** The same for a line that begins with `warning   ` or its like: the rest hangs below itself. */
export const fold = (line: string, width: number): string[] => {
  const [head = ''] = /^\S+ {2,}/.exec(line) ?? []
  const indent = head.length < width / 2 ? head.length : 0
  return foldText(line.slice(indent), width - indent).map(
    (text, at) => (at === 0 ? line.slice(0, indent) : ' '.repeat(indent)) + text,
  )
}
