const number = (value) => {
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  return value.toFixed(size >= 1 ? 2 : 3)
}

/** A median with its extremes: `1.47 (1.40–1.61)`. */
export function cell(value) {
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
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((row) => (row[i] ?? '').length)))
  const line = (row) => `| ${columns.map((_, i) => (row[i] ?? '').padEnd(widths[i])).join(' | ')} |`
  return [
    line(cells[0]),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...cells.slice(1).map(line),
  ].join('\n')
}

/** A row for each contestant and a column for each `[title, name → cell]`; one that failed says why. */
export function byContestant({ names, failure, rounds }, columns) {
  const rows = names.map((name) => {
    if (rounds(name) === 0) return [name, `failed: ${failure(name)}`]
    const partly = failure(name) ? `${name} (${rounds(name)} rounds, then failed: ${failure(name)})` : name
    return [partly, ...columns.map(([, value]) => value(name))]
  })
  return table(['contestant', ...columns.map(([title]) => title)], rows)
}
