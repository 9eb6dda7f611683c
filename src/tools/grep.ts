import { head } from '../policy/bound.ts'
import { compileGlob, type PathTest } from '../sandbox/glob.ts'
import { kindAt } from '../sandbox/list.ts'
import { locate } from '../sandbox/locate.ts'
import { openForReading } from '../sandbox/read.ts'
import type { ToolContext } from './context.ts'
import { fileKind } from './file-kind.ts'
import { lineTest } from './line-test.ts'
import { attempt, failure, success } from './outcome.ts'
import { DEFAULT_FOLDER, filesBelow, newReport, notes, type SearchReport } from './search.ts'
import { cutHead, showControls, showPath } from './text.ts'
import { type TimeBudget, TimeSpent, timeBudget } from './time-budget.ts'

const RESULTS_MAX = 100
const FILE_BYTES_MAX = 1_000_000
const LINE_MAX = 2000
/** Files that are searched at a stretch, and as many are read meanwhile. */
const STRETCH = 16
/** How long a pattern may be tried on lines, in all. Some would take centuries. */
const TRYING_MS = 5000
const SHOWN_MAX = 200
const CHARS_MAX = 50_000
const MORE = 'There are more: narrow the path or the pattern, or add a glob.'
const HINT = 'Narrow the path or the pattern'

export type GrepArguments = {
  readonly pattern: string
  readonly path?: string | undefined
  readonly glob?: string | undefined
  readonly literal?: boolean | undefined
  readonly case_sensitive?: boolean | undefined
}

interface Search {
  readonly context: ToolContext
  readonly report: SearchReport
  readonly skipped: { large: number; long: number }
  readonly lines: string[]
  more: boolean
  readonly trying: TimeBudget
  test(line: string): boolean
}

interface Read {
  readonly path: string
  readonly text: string
}

const contentOf = async ({ context, skipped, report }: Search, path: string): Promise<string> => {
  const file = await openForReading(context.view, path).catch(() => null)
  if (file === null) {
    report.unreadable++
    return ''
  }
  try {
    if (file.size > FILE_BYTES_MAX) {
      skipped.large++
      return ''
    }
    const { bytesRead, buffer } = await file.handle.read(Buffer.allocUnsafe(file.size), 0, file.size, 0)
    const bytes = buffer.subarray(0, bytesRead)
    const kind = fileKind(bytes)
    return kind.text ? new TextDecoder(kind.encoding).decode(bytes) : ''
  } catch {
    report.unreadable++
    return ''
  } finally {
    await file.handle.close()
  }
}

/** A file with its text, if it is worth searching. It may have gone since it was listed. */
const readAt = async (search: Search, path: string): Promise<Read> => ({ path, text: await contentOf(search, path) })

const searchText = (search: Search, { path, text }: Read): void => {
  if (text === '') return
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [i, raw] of lines.entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (line.length > LINE_MAX) search.skipped.long++
    else if (search.test(line)) {
      search.more = search.lines.length === RESULTS_MAX
      if (search.more) return
      search.lines.push(`${showPath(path)}:${i + 1}: ${showControls(head(line, SHOWN_MAX))}`)
    }
  }
}

const searchAll = (search: Search, all: readonly Read[]): void =>
  search.trying.spend(() => {
    for (const read of all) {
      if (search.more) return
      searchText(search, read)
    }
  })

const searchBelow = async (search: Search, start: string, glob: string, matches: PathTest): Promise<void> => {
  const isName = !glob.includes('/')
  const ahead: Promise<Read>[] = []
  const searchNext = async (): Promise<void> => searchAll(search, await Promise.all(ahead.splice(0, STRETCH)))
  for await (const found of filesBelow(search.context, start, glob, search.report)) {
    if (!matches(isName ? found.segments.slice(-1) : found.segments)) continue
    ahead.push(readAt(search, found.path))
    if (ahead.length === 2 * STRETCH) await searchNext()
    if (search.more) return
  }
  while (ahead.length > 0) await searchNext()
}

const render = ({ lines, more, skipped, report }: Search, under: string): string => {
  const shown = lines.length
  const title =
    shown === 0
      ? `No matches found under ${under}`
      : `Found ${shown} matches under ${under}${more ? ` (showing first ${shown})` : ''}`
  const left = [
    ...(skipped.large > 0 ? [`(files over ${FILE_BYTES_MAX} bytes, not searched: ${skipped.large})`] : []),
    ...(skipped.long > 0 ? [`(lines over ${LINE_MAX} characters, not searched: ${skipped.long})`] : []),
  ]
  return [title, ...lines, ...(more ? [MORE] : []), ...left, ...notes(report)].join('\n')
}

const tooCostly = (pattern: string): string =>
  `The pattern takes too long, so the search was stopped: ${showControls(head(pattern, SHOWN_MAX))}. Write it without repeats ` +
  'within repeats, such as (a+)+, give plain text with literal: true, or narrow the path'

/** Finds lines by a pattern, in one file or in all below a folder. */
export const grep = (args: GrepArguments, context: ToolContext) => {
  const start = args.path ?? DEFAULT_FOLDER
  return attempt(context, start, 'list', async () => {
    const compiled = lineTest(args.pattern, args.literal === true, args.case_sensitive === true)
    if (!compiled.ok) return failure(`Invalid regex pattern: ${compiled.error}`)
    const { path } = locate(context.view, start)
    const matches = compileGlob(args.glob ?? '**')
    if (matches === null) return failure('Invalid glob pattern: it is too long or has too many alternatives')
    const search: Search = {
      context,
      report: newReport(),
      skipped: { large: 0, long: 0 },
      lines: [],
      more: false,
      trying: timeBudget(TRYING_MS),
      test: compiled.test,
    }
    try {
      if ((await kindAt(context.view, path)) === 'file') searchAll(search, [await readAt(search, path)])
      else await searchBelow(search, path, args.glob ?? '**', matches)
    } catch (thrown) {
      if (thrown instanceof TimeSpent) return failure(tooCostly(args.pattern))
      throw thrown
    }
    const text = render(search, showPath(path))
    return success(cutHead(text, text.length, CHARS_MAX, HINT))
  })
}
