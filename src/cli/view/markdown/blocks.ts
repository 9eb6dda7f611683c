import type { Colour } from '../style.ts'
import { widthOf } from '../text.ts'
import { spansOf } from './inline.ts'
import type { Node } from './parse.ts'
import { type Canvas, type Line, PLAIN, type Span } from './span.ts'
import { tableLines } from './table.ts'
import { wrap } from './wrap.ts'

// Longer lines are hard to follow; only tables and code get all the room there is.
const PROSE_WIDTH = 100
// However deep lists and quotes lie in one another, their text keeps so much room.
const WIDTH_LEAST = 12
const TAB = '    '
const CODE_INDENT = '  '

const proseWidth = ({ width }: Canvas): number => Math.min(PROSE_WIDTH, width)

const narrower = (canvas: Canvas, columns: number): Canvas => ({
  ...canvas,
  width: Math.max(WIDTH_LEAST, canvas.width - columns),
})

const prefixed = (lines: readonly Line[], first: Span, rest: Span): readonly Line[] =>
  lines.map((line, at) =>
    at > 0 && line.length === 0 && rest.text.trim() === '' ? line : [at === 0 ? first : rest, ...line],
  )

const heading = (node: Node, canvas: Canvas): readonly Line[] => {
  const level = Number(node.token.tag.slice(1))
  const more: readonly Colour[] = level === 1 ? ['underline'] : level > 2 ? ['italic'] : []
  const look = { ...PLAIN, colours: ['bold', ...more] as const }
  const mark = canvas.style.coloured ? [] : [{ text: `${'#'.repeat(level)} `, look }]
  return wrap([...mark, ...spansOf(inlineOf(node), canvas, look)], proseWidth(canvas))
}

const inlineOf = (node: Node): readonly Node[] => node.children.flatMap(({ children }) => children)

/** Not wrapped: who copies it gets it as it was written. */
const code = (text: string): readonly Line[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? [] : [{ text: CODE_INDENT + line.replaceAll('\t', TAB), look: PLAIN }]))

const item = (node: Node, marker: string, canvas: Canvas): readonly Line[] => {
  const indent = widthOf(marker)
  const lines = blocksOf(node.children, narrower(canvas, indent))
  const rest = { text: ' '.repeat(indent), look: PLAIN }
  return prefixed(lines.length > 0 ? lines : [[]], { text: marker, look: PLAIN }, rest)
}

const list = (node: Node, canvas: Canvas): readonly Line[] => {
  const first = Number(node.token.attrGet('start') ?? 1)
  const numbered = node.token.type === 'ordered_list_open'
  const widest = `${first + node.children.length - 1}`.length
  const loose = node.children.some(({ children }) => children.some(({ token }) => token.tag === 'p' && !token.hidden))
  return node.children.flatMap((one, at) => {
    const marker = numbered ? `${`${first + at}`.padStart(widest)}. ` : `${canvas.style.glyphs.bullet} `
    return [...(loose && at > 0 ? [[]] : []), ...item(one, marker, canvas)]
  })
}

const quote = (node: Node, canvas: Canvas): readonly Line[] => {
  const bar: Span = { text: `${canvas.style.glyphs.bar} `, look: { ...PLAIN, colours: ['dim'] } }
  return prefixed(blocksOf(node.children, narrower(canvas, 2)), bar, bar)
}

const block = (node: Node, canvas: Canvas): readonly Line[] => {
  const { type, content } = node.token
  if (type === 'heading_open') return heading(node, canvas)
  if (type === 'fence' || type === 'code_block') return code(content)
  if (type === 'bullet_list_open' || type === 'ordered_list_open') return list(node, canvas)
  if (type === 'blockquote_open') return quote(node, canvas)
  if (type === 'table_open') return tableLines(node, canvas)
  if (type === 'hr')
    return [[{ text: canvas.style.glyphs.rule.repeat(proseWidth(canvas)), look: { ...PLAIN, colours: ['dim'] } }]]
  return wrap(spansOf(inlineOf(node), canvas), proseWidth(canvas))
}

/** The lines of blocks that follow each other, with a blank one between them; only inside a tight list there is none. */
export const blocksOf = (nodes: readonly Node[], canvas: Canvas): readonly Line[] =>
  nodes.flatMap((node, at) => [...(at > 0 && !nodes[at - 1]?.token.hidden ? [[]] : []), ...block(node, canvas)])
