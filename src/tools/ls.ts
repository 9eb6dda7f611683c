import { locate } from '../sandbox/locate.ts'
import { type WalkReport, walk } from '../sandbox/walk.ts'
import type { ToolContext } from './context.ts'
import { isIgnoredFolder } from './ignored.ts'
import { attempt, success } from './outcome.ts'
import { cutHead, showPath } from './text.ts'

const DEPTH = 2
const ENTRIES_MAX = 20_000
const CHARS_MAX = 20_000
const HINT = 'Use a more specific path to see fewer results'

export type LsArguments = { readonly path: string }

/** Lists a folder and the folders in it. Folders full of what others made are named and not opened. */
export const ls = (args: LsArguments, context: ToolContext) =>
  attempt(context, args.path, 'list', async () => {
    const report: WalkReport = { cut: false, unreadable: 0, deep: 0 }
    const { path } = locate(context.view, args.path)
    const lines: string[] = []
    const options = {
      signal: context.signal,
      depth: DEPTH,
      entries: ENTRIES_MAX,
      leavesOut: () => false,
      enters: (segments: readonly string[]) => !isIgnoredFolder(segments.at(-1) ?? ''),
    }
    for await (const found of walk(context.view, path, options, report)) {
      lines.push(showPath(found.path) + (found.kind === 'folder' ? '/' : ''))
    }
    if (lines.length === 0) return success('(empty)')
    lines.sort()
    if (report.cut) lines.push(`(more than ${ENTRIES_MAX} entries: the rest is not shown)`)
    const text = lines.join('\n')
    return success(cutHead(text, text.length, CHARS_MAX, HINT))
  })
