import { type Call, NOT_RUN, type ToolResult } from './plan.ts'
import { reason } from './prose.ts'

/** Where the demo finds the folder it surveys. */
export const ROOT = '/mnt/project'

export const ls = (path: string): Call => ({ name: 'ls', args: { path } })
export const glob = (pattern: string, path = ROOT): Call => ({ name: 'glob', args: { pattern, path } })
export const grep = (pattern: string, path = ROOT): Call => ({
  name: 'grep',
  args: { pattern, path, case_sensitive: true },
})
export const readFile = (path: string, from: number, to: number): Call => ({
  name: 'read_file',
  args: { path, start_line: from, end_line: to },
})

export interface Folder {
  readonly name: string
  /** How many names were listed in it. */
  readonly holds: number
}

export interface Listing {
  readonly folders: readonly Folder[]
  readonly files: readonly string[]
  /** There is more than was shown. */
  readonly cut: boolean
}

const below = (path: string, root: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : '')

const isCut = (content: string): boolean =>
  /^There are more: /m.test(content) ||
  content.includes('... [truncated: ') ||
  /^\((?:stopped after|more than) /m.test(content)

/** What `ls` showed of a folder: it lists two levels, folders with a slash at the end. */
export const readListing = ({ ok, content }: ToolResult = NOT_RUN, root = ROOT): Listing => {
  const folders = new Map<string, number>()
  const files: string[] = []
  for (const line of ok ? content.split('\n') : []) {
    const [name = '', ...rest] = below(line, root).split('/')
    if (name === '') continue
    if (rest.length === 0) files.push(name)
    else folders.set(name, (folders.get(name) ?? 0) + (rest[0] === '' ? 0 : 1))
  }
  return { folders: Array.from(folders, ([name, holds]) => ({ name, holds })), files, cut: isCut(content) }
}

/** The search tools say in brackets, and below the results, what they left out. */
const notesIn = (content: string): string[] =>
  content.split('\n').filter((line) => /^\((?:not searched|\d+ |stopped)/.test(line))

export interface Paths {
  /** Relative to the surveyed folder. */
  readonly paths: readonly string[]
  /** There are more than are listed. */
  readonly cut: boolean
  /** Why nothing could be found out. */
  readonly failed: string | null
  /** What was left out. */
  readonly notes: readonly string[]
}

export const readPaths = ({ ok, content }: ToolResult = NOT_RUN): Paths => {
  if (!ok) return { paths: [], cut: false, failed: reason(content), notes: [] }
  const paths = content.split('\n').flatMap((line) => /^\d+\. (\/.*)$/.exec(line)?.[1] ?? [])
  const relative = paths.map((path) => below(path, ROOT)).filter(Boolean)
  return { paths: relative, cut: isCut(content), failed: null, notes: notesIn(content) }
}

export interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

export interface Matches {
  readonly matches: readonly Match[]
  readonly cut: boolean
  readonly failed: string | null
  readonly notes: readonly string[]
}

export const readMatches = ({ ok, content }: ToolResult = NOT_RUN): Matches => {
  if (!ok) return { matches: [], cut: false, failed: reason(content), notes: [] }
  const matches = content.split('\n').flatMap((line): Match[] => {
    const [, path = '', number = '', text = ''] = /^(\/.*?):(\d+): (.*)$/.exec(line) ?? []
    return number === '' ? [] : [{ path: below(path, ROOT), line: Number(number), text: text.trim() }]
  })
  return { matches, cut: isCut(content), failed: null, notes: notesIn(content) }
}

/** The lines of a file, or none if it could not be read or holds none. */
export const readLines = ({ ok, content }: ToolResult = NOT_RUN): readonly string[] =>
  !ok || content === '(empty)' ? [] : content.split('\n')
