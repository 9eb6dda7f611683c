import { PLAIN } from './markdown/span.ts'
import { wrap } from './markdown/wrap.ts'

/** A line for a person, folded between words; what follows `warning   ` and its like hangs below itself. */
export const fold = (line: string, width: number): string[] => {
  const [head = ''] = /^\S+ {2,}/.exec(line) ?? []
  const indent = head.length < width / 2 ? head.length : 0
  const text = indent > 0 ? line.slice(indent) : line
  return wrap([{ text, look: PLAIN }], width - indent).map(
    (spans, at) => (at === 0 ? line.slice(0, indent) : ' '.repeat(indent)) + spans.map((span) => span.text).join(''),
  )
}
