import { pad, widthOf } from './text.ts'

/** One column of a table of rows. */
export interface Column {
  readonly name: string
  /** Narrowest useful width of a column that may be cut; left out: the column is whole or not there. */
  readonly least?: number
  /** Widest it may get. */
  readonly most?: number
  /** What goes first when the width does not suffice: the lowest. */
  readonly worth: number
  readonly side?: 'left' | 'right'
}

export type Cells = Readonly<Record<string, string>>

const GAP = 2

/**
 * The width of each column that has room, in order. Columns go one by one until the rest fits at its least width; what
 * is then left over goes to the columns that were cut, first the first.
 */
export const fitColumns = (
  columns: readonly Column[],
  rows: readonly Cells[],
  width: number,
): readonly (Column & { width: number })[] => {
  const natural = (column: Column) =>
    Math.min(column.most ?? width, Math.max(0, ...rows.map((row) => widthOf(row[column.name] ?? ''))))
  let shown = columns.map((column) => ({ ...column, natural: natural(column) })).filter((column) => column.natural > 0)
  const least = (column: (typeof shown)[number]) => Math.min(column.natural, column.least ?? column.natural)
  const taken = () => shown.reduce((sum, column) => sum + least(column), 0) + GAP * Math.max(0, shown.length - 1)
  while (shown.length > 1 && taken() > width) {
    const lowest = shown.reduce((a, b) => (b.worth < a.worth ? b : a))
    shown = shown.filter((column) => column !== lowest)
  }
  let spare = Math.max(0, width - taken())
  return shown.map((column) => {
    const more = Math.min(spare, column.natural - least(column))
    spare -= more
    return { ...column, width: Math.min(width, least(column) + more) }
  })
}

/** The cells of one row as fitted, not yet joined, so that each may be coloured. */
export const fill = (
  columns: readonly (Column & { width: number })[],
  row: Cells,
): readonly { name: string; text: string }[] =>
  columns.map((column) => ({ name: column.name, text: pad(row[column.name] ?? '', column.width, column.side) }))

export const GAP_TEXT = ' '.repeat(GAP)
