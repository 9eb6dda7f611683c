import { locate } from '../sandbox/locate.ts'
import { type Found, type WalkReport, walk } from '../sandbox/walk.ts'
import type { ToolContext } from './context.ts'
import { asksFor, isIgnored, isIgnoredFolder } from './ignored.ts'
import { showPath } from './text.ts'

/** Where a search without a path looks. */
export const DEFAULT_FOLDER = '/mnt/user-data/workspace'

const ENTRIES_MAX = 200_000
const DEPTH_MAX = 100
const NAMES_SHOWN = 8

/** What a search left out; told with its result, since a model takes silence for absence. */
export interface SearchReport extends WalkReport {
  readonly ignored: Set<string>
}

export const newReport = (): SearchReport => ({ cut: false, unreadable: 0, deep: 0, ignored: new Set() })

/** The files below a folder, without what is ignored unless the pattern asks for it. */
export async function* filesBelow(
  context: ToolContext,
  start: unknown,
  pattern: string,
  report: SearchReport,
): AsyncGenerator<Found> {
  const { path } = locate(context.view, start)
  const isAsked = asksFor(pattern)
  const above = path.split('/')
  // Whoever looks into such a folder asked for it, and means all of it.
  const isInside = (segments: readonly string[]) => [...above, ...segments].some(isIgnoredFolder)
  const options = {
    signal: context.signal,
    depth: DEPTH_MAX,
    entries: ENTRIES_MAX,
    leavesOut: (segments: readonly string[], kind: string) => {
      const name = segments.at(-1) ?? ''
      if (!isIgnored(name, kind) || isAsked(name) || isInside(segments.slice(0, -1))) return false
      report.ignored.add(name)
      return true
    },
    enters: () => true,
  }
  for await (const found of walk(context.view, path, options, report)) {
    if (found.kind === 'file') yield found
  }
}

const listed = (names: ReadonlySet<string>): string => {
  const all = Array.from(names, showPath)
  const rest = all.length - NAMES_SHOWN
  return rest > 0 ? `${all.slice(0, NAMES_SHOWN).join(', ')} and ${rest} more` : all.join(', ')
}

/** One line for each thing that was left out. */
export const notes = (report: SearchReport): string[] => {
  const lines: string[] = []
  if (report.ignored.size > 0)
    lines.push(`(not searched: ${listed(report.ignored)}; name one in the pattern or path to search it)`)
  if (report.unreadable > 0) lines.push(`(files or folders that could not be read: ${report.unreadable})`)
  if (report.deep > 0) lines.push(`(folders more than ${DEPTH_MAX} below, not searched: ${report.deep})`)
  if (report.cut) lines.push(`(stopped after ${ENTRIES_MAX} entries: search a smaller folder)`)
  return lines
}
