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

const RESULTS_MAX = 100
const FILE_BYTES_MAX = 1_000_000
const LINE_MAX = 2000
/** Files that are read while another is searched. */
const AHEAD = 16
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
  test(line: string): boolean
}

/** The text of a file that is worth searching. It may have gone since it was listed. */
const textOf = async ({ context, skipped, report }: Search, path: string): Promise<string> => {
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

const searchText = (search: Search, path: string, text: string): void => {
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

const searchBelow = async (search: Search, start: string, glob: string, matches: PathTest): Promise<void> => {
  const isName = !glob.includes('/')
  const ahead: { readonly path: string; readonly text: Promise<string> }[] = []
  const searchNext = async (left: number): Promise<void> => {
    while (ahead.length > left && !search.more) {
      const next = ahead.shift()
      if (next !== undefined) searchText(search, next.path, await next.text)
    }
  }
  for await (const found of filesBelow(search.context, start, glob, search.report)) {
    if (!matches(isName ? found.segments.slice(-1) : found.segments)) continue
    ahead.push({ path: found.path, text: textOf(search, found.path) })
    await searchNext(AHEAD)
    if (search.more) return
  }
  await searchNext(0)
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
      test: compiled.test,
    }
    if ((await kindAt(context.view, path)) === 'file') searchText(search, path, await textOf(search, path))
    else await searchBelow(search, path, args.glob ?? '**', matches)
    const text = render(search, showPath(path))
    return success(cutHead(text, text.length, CHARS_MAX, HINT))
  })
}
