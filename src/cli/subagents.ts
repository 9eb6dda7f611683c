import type { CatalogEntry } from '../contract/api.ts'
import { CONFIG_FLAG, type Command, given, text } from './command.ts'
import { configNotes } from './config-notes.ts'
import { EXIT } from './exit.ts'
import { homeOf } from './mount.ts'
import { openOutput } from './output.ts'
import { type Column, fill, fitColumns, GAP_TEXT } from './view/columns.ts'
import { oneLine } from './view/text.ts'

const COLUMNS: readonly Column[] = [
  { name: 'name', worth: 9 },
  { name: 'source', worth: 3 },
  { name: 'model', worth: 5 },
  { name: 'turns', worth: 4, side: 'right' },
  { name: 'seconds', worth: 2, side: 'right' },
  { name: 'state', worth: 8 },
  { name: 'description', least: 20, worth: 6 },
]

const HEADINGS = Object.fromEntries(COLUMNS.map(({ name }) => [name, name.toUpperCase()]))

const stateOf = (entry: CatalogEntry): string => {
  if (!entry.enabled) return 'disabled'
  if (entry.conflict_with !== null) return `name taken by ${entry.conflict_with}`
  return entry.available ? 'ready' : `unavailable: ${entry.unavailable_reason ?? 'no reason given'}`
}

const cells = (entry: CatalogEntry) => ({
  name: oneLine(entry.name),
  source: entry.source,
  model: oneLine(entry.model),
  turns: String(entry.max_turns),
  seconds: String(entry.timeout_seconds),
  state: oneLine(stateOf(entry)),
  description: oneLine(entry.description),
})

/** The catalog as a table; `width` of 0 cuts nothing. */
const catalogTable = (entries: readonly CatalogEntry[], width: number): string[] => {
  const rows = [HEADINGS, ...entries.map(cells)]
  const columns = fitColumns(COLUMNS, rows, width > 0 ? width : Number.MAX_SAFE_INTEGER)
  return rows.map((row) =>
    fill(columns, row)
      .map((cell) => cell.text)
      .join(GAP_TEXT)
      .trimEnd(),
  )
}

export const subagentsCommand: Command = {
  name: 'subagents',
  about: 'List the subagents that a lead can delegate to.',
  takes: '',
  flags: { config: CONFIG_FLAG, json: { type: 'boolean', about: 'Print the catalog as JSON' } },
  examples: [
    ['troupe subagents', 'names, models, limits and what each is for'],
    ["troupe subagents --json | jq -r '.[].name'", 'the names alone'],
  ],
  run: async (parsed, world) => {
    const config = text(parsed, 'config')
    const log = configNotes((line) => void world.stderr.write(`${line}\n`))
    const runtime = await world.open(
      { home: homeOf(world.cwd, world.env), env: world.env, log, ...(config !== undefined && { config }) },
      {},
    )
    try {
      const entries = await runtime.subagents()
      const lines = given(parsed, 'json')
        ? [JSON.stringify(entries, null, 2)]
        : catalogTable(entries, world.stdout.isTTY ? (world.stdout.columns ?? 80) : 0)
      const output = openOutput(world.stdout)
      await output.write(`${lines.join('\n')}\n`)
      await output.flush()
      return EXIT.ok
    } finally {
      await runtime.close()
    }
  },
}
