import { spansOf } from './inline.ts'
import type { Node } from './parse.ts'
import { type Canvas, type Line, type Look, PLAIN, type Span } from './span.ts'
import { widthOfLine, wrap } from './wrap.ts'

const HEADING: Look = { colours: ['bold'], href: null }
const DIM: Look = { colours: ['dim'], href: null }

// Narrower columns show a letter or two a line: then each row is a list of its own.
const CELL_LEAST = 8
const GAP = 3

type Side = 'left' | 'right' | 'center'

interface Cell {
  readonly spans: readonly Span[]
  readonly side: Side
}

const sideOf = ({ token }: Node): Side => {
  const [, side] = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? '')) ?? []
  return side === 'right' || side === 'center' ? side : 'left'
}

const rowsOf = (table: Node, canvas: Canvas): Cell[][] =>
  table.children.flatMap((part) =>
    part.children.map((row) =>
      row.children.map((cell) => ({
        spans: cell.children.flatMap(({ children }) =>
          spansOf(children, canvas, part.token.tag === 'thead' ? HEADING : PLAIN),
        ),
        side: sideOf(cell),
      })),
    ),
  )

const naturalWidth = ({ spans }: Cell): number => Math.max(...wrap(spans, Number.MAX_SAFE_INTEGER).map(widthOfLine))

/** Widths that fit: the widest columns give way first. `null`: no table of this width can be read. */
const fit = (natural: readonly number[], width: number): readonly number[] | null => {
  const room = width - GAP * (natural.length - 1)
  let limit = Math.max(...natural)
  const widths = () => natural.map((one) => Math.min(one, limit))
  const sum = () => widths().reduce((a, b) => a + b, 0)
  while (limit >= CELL_LEAST && sum() > room) limit--
  return limit < CELL_LEAST && sum() > room ? null : widths()
}

const blank = (columns: number): Span => ({ text: ' '.repeat(Math.max(0, columns)), look: PLAIN })

const setCell = (line: Line, width: number, side: Side): Line => {
  const spare = width - widthOfLine(line)
  const before = side === 'right' ? spare : side === 'center' ? Math.floor(spare / 2) : 0
  return [blank(before), ...line, blank(spare - before)]
}

const setRow = (row: readonly Cell[], widths: readonly number[], bar: Span): Line[] => {
  const cells = row.map(({ spans }, at) => wrap(spans, widths[at] ?? 0))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, y) =>
    row.flatMap(({ side }, at) => [...(at > 0 ? [bar] : []), ...setCell(cells[at]?.[y] ?? [], widths[at] ?? 0, side)]),
  )
}

/** For a terminal too narrow for columns: each row as lines `heading: cell`. */
const asLists = (head: readonly Cell[], rows: readonly (readonly Cell[])[], width: number): Line[] =>
  rows.flatMap((row, y) => [
    ...(y > 0 ? [[]] : []),
    ...row.flatMap(({ spans }, at) =>
      wrap([...(head[at]?.spans ?? []), { text: ': ', look: HEADING }, ...spans], width),
    ),
  ])

export const tableLines = (table: Node, canvas: Canvas): readonly Line[] => {
  const [head = [], ...rows] = rowsOf(table, canvas)
  const { bar, rule, crossing } = canvas.style.glyphs
  const natural = head.map((cell, at) =>
    Math.max(1, ...[cell, ...rows.flatMap((row) => row[at] ?? [])].map(naturalWidth)),
  )
  const widths = fit(natural, canvas.width)
  if (widths === null) return asLists(head, rows, canvas.width)
  const line = widths.map((width) => rule.repeat(width)).join(`${rule}${crossing}${rule}`)
  const between: Span = { text: ` ${bar} `, look: DIM }
  return [
    ...setRow(head, widths, between),
    [{ text: line, look: DIM }],
    ...rows.flatMap((row) => setRow(row, widths, between)),
  ]
}
