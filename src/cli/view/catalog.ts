import type { CatalogEntry } from '../../contract/api.ts'
import { type Cells, type Column, fill, fitColumns, GAP_TEXT } from './columns.ts'
import { short } from './format.ts'
import type { Style } from './style.ts'
import { oneLine, widthOf } from './text.ts'

const COLUMNS: readonly Column[] = [
  { name: 'name', worth: 9 },
  { name: 'state', worth: 8 },
  { name: 'source', worth: 3 },
  { name: 'model', worth: 4 },
  { name: 'turns', worth: 7, side: 'right' },
  { name: 'time', worth: 6, side: 'right' },
  { name: 'tokens', worth: 2, side: 'right' },
  { name: 'tools', least: 12, most: 24, worth: 1 },
  { name: 'description', least: 16, worth: 5 },
]

/** In a pipe nothing is cut. */
const UNCUT: readonly Column[] = COLUMNS.map(({ name, worth, side }) => ({ name, worth, ...(side && { side }) }))

const HEADINGS = Object.fromEntries(COLUMNS.map(({ name }) => [name, name.toUpperCase()]))

type State = 'ready' | 'off' | 'taken' | 'disabled'

const stateOf = ({ enabled, available, conflict_with }: CatalogEntry): State => {
  if (!enabled) return 'disabled'
  if (conflict_with !== null) return 'taken'
  return available ? 'ready' : 'off'
}

const UNITS = [
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** `30m`, `1h30m`, `45s`. */
const timeOf = (seconds: number): string => {
  let rest = seconds
  return UNITS.map(([unit, size]) => {
    const whole = Math.floor(rest / size)
    rest -= whole * size
    return whole === 0 ? '' : `${whole}${unit}`
  }).join('')
}

/** What nobody may have is not worth a word. */
const NEVER: readonly string[] = ['task', 'ask_clarification', 'present_files']

const toolsOf = ({ tools, disallowed_tools: denied }: CatalogEntry): string => {
  const listed = (names: readonly string[]) => names.map(oneLine).join(', ')
  if (tools !== null) return listed(tools.filter((name) => !denied.includes(name))) || 'none'
  const without = denied.filter((name) => !NEVER.includes(name))
  return without.length === 0 ? 'all' : `all but ${listed(without)}`
}

const MARK = '*'

/** `marks`: the fields that some entry has marked; in those the others leave room for it. */
const cells = (entry: CatalogEntry, marks: ReadonlySet<string>): Cells => {
  const marked = (key: string, text: string): string =>
    entry.overrides.includes(key) ? text + MARK : marks.has(key) ? `${text} ` : text
  const tokens = entry.token_budget === null ? '-' : short(entry.token_budget).replace('.0', '')
  return {
    name: oneLine(entry.name),
    state: stateOf(entry),
    source: entry.source,
    model: marked('model', oneLine(entry.model)),
    turns: marked('max_turns', String(entry.max_turns)),
    time: marked('timeout_seconds', timeOf(entry.timeout_seconds)),
    tokens: marked('token_budget', tokens),
    tools: toolsOf(entry),
    description: oneLine(entry.description),
  }
}

/** Words in lines of at most `width` columns, all but the first indented; 0 breaks nothing. */
const wrapped = (text: string, width: number): readonly string[] => {
  if (width === 0) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || widthOf(longer) <= width) line = longer
    else {
      lines.push(line)
      line = `  ${word}`
    }
  }
  return [...lines, line]
}

/** Why an agent cannot be called and what to do about it; and what the mark means. */
const notes = (entries: readonly CatalogEntry[], width: number): readonly string[] => {
  const reasons = entries.flatMap((entry) =>
    entry.unavailable_reason === null
      ? []
      : wrapped(`${oneLine(entry.name)} (${stateOf(entry)}): ${oneLine(entry.unavailable_reason)}`, width),
  )
  const mark = entries.some(({ overrides }) => overrides.length > 0) ? [`${MARK} set by subagents.agents`] : []
  const all = [...mark, ...reasons]
  return all.length === 0 ? [] : ['', ...all]
}

/** The catalog as a table with notes below; a `width` of 0 cuts nothing. */
export const catalogLines = (
  entries: readonly CatalogEntry[],
  width: number,
  paint: Style['paint'],
): readonly string[] => {
  const marks = new Set(entries.flatMap(({ overrides }) => overrides))
  const rows = [HEADINGS, ...entries.map((entry) => cells(entry, marks))]
  const columns = width > 0 ? fitColumns(COLUMNS, rows, width) : fitColumns(UNCUT, rows, Number.MAX_SAFE_INTEGER)
  const lines = rows.map((row) =>
    fill(columns, row)
      .map(({ name, text }) => (name === 'state' && row['state'] === 'ready' ? paint('green', text) : text))
      .join(GAP_TEXT)
      .trimEnd(),
  )
  const [headings = '', ...rest] = lines
  return [paint('bold', headings), ...rest, ...notes(entries, width)]
}
