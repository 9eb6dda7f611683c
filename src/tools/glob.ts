import { compileGlob, type PathTest } from '../sandbox/glob.ts'
import { locate } from '../sandbox/locate.ts'
import type { ToolContext } from './context.ts'
import { attempt, failure, success } from './outcome.ts'
import { DEFAULT_FOLDER, filesBelow, newReport, notes, type SearchReport } from './search.ts'
import { cutHead, showGiven, showPath } from './text.ts'

const RESULTS_MAX = 200
const CHARS_MAX = 50_000
const MORE = 'There are more: narrow the path or the pattern.'
const HINT = 'Narrow the path or the pattern'

export type GlobArguments = { readonly pattern: string; readonly path?: string | undefined }

/** An absolute pattern, as models like to write it, is a folder up to its first sign and a pattern from there. */
const splitAbsolute = (pattern: string): { path: string; pattern: string } => {
  const segments = pattern.split('/')
  const sign = segments.findIndex((segment) => /[*?[{\\]/.test(segment))
  const at = sign < 0 ? segments.length - 1 : sign
  return { path: segments.slice(0, at).join('/') || '/', pattern: segments.slice(at).join('/') }
}

const collect = async (
  context: ToolContext,
  path: string,
  pattern: string,
  matches: PathTest,
  report: SearchReport,
) => {
  const paths: string[] = []
  for await (const found of filesBelow(context, path, pattern, report)) {
    if (!matches(found.segments)) continue
    if (paths.length === RESULTS_MAX) return { paths, more: true }
    paths.push(showPath(found.path))
  }
  return { paths, more: false }
}

const nothing = (under: string, pattern: string): string[] => [
  `No files matched under ${under}`,
  ...(pattern.includes('/') || pattern.includes('**')
    ? []
    : [`(only this folder was looked at; **/${pattern} looks in all below)`]),
]

const render = (
  under: string,
  pattern: string,
  { paths, more }: { paths: readonly string[]; more: boolean },
): string[] => {
  if (paths.length === 0) return nothing(under, pattern)
  const title = `Found ${paths.length} paths under ${under}${more ? ` (showing first ${paths.length})` : ''}`
  return [title, ...paths.map((path, i) => `${i + 1}. ${path}`), ...(more ? [MORE] : [])]
}

/** Finds files by name. */
export const glob = (args: GlobArguments, context: ToolContext) => {
  const written = String(args.pattern)
  const { path, pattern } = written.startsWith('/')
    ? splitAbsolute(written)
    : { path: args.path ?? DEFAULT_FOLDER, pattern: written }
  return attempt(context, path, 'list', async () => {
    if (pattern.trim() === '') return failure('Invalid glob pattern: it is empty')
    if (pattern.split('/').includes('..'))
      return failure(`Invalid glob pattern: ${showGiven(pattern)} (.. cannot be used, give a path instead)`)
    const matches = compileGlob(pattern)
    if (matches === null) return failure('Invalid glob pattern: it is too long or has too many alternatives')
    const report = newReport()
    const found = await collect(context, path, pattern, matches, report)
    const under = showPath(locate(context.view, path).path)
    const text = [...render(under, pattern, found), ...notes(report)].join('\n')
    return success(cutHead(text, text.length, CHARS_MAX, HINT))
  })
}
