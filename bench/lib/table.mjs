const number = (value) => {
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  return value.toFixed(size >= 1 ? 2 : 3)
}

/** A median with its extremes: `1.47 (1.40–1.61)`. */
function cell(value) {
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'object' || value === null) return String(value ?? '–')
  if (!Number.isFinite(value.median)) return '–'
  return value.min === value.max
    ? number(value.median)
    : `${number(value.median)} (${number(value.min)}–${number(value.max)})`
}

/** A Markdown table whose columns also line up on a terminal. */
export function table(columns, rows) {
  const cells = [columns, ...rows.map((row) => row.map(cell))]
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((row) => row[i].length)))
  const line = (row) => `| ${row.map((text, i) => text.padEnd(widths[i])).join(' | ')} |`
  return [
    line(cells[0]),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...cells.slice(1).map(line),
  ].join('\n')
}
