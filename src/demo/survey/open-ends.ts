import { type Plan, type ToolResult, type Turn, turn } from '../plan.ts'
import { code, plural, reason, shorten, some, tally } from '../prose.ts'
import {
  glob,
  grep,
  ls,
  type Matches,
  ROOT,
  readFile,
  readLines,
  readListing,
  readMatches,
  readPaths,
} from '../tools.ts'
import { nameOf } from './languages.ts'
import { explainManifest, MANIFESTS } from './manifests.ts'

const MARKS = ['TODO', 'FIXME', 'HACK', 'XXX'] as const
const ANY_MARK = `${MARKS.slice(0, -1).join(', ')} or ${MARKS.at(-1)}`
const READ_MAX = 3
const LINES_READ = 400

const manifestLine = (path: string, result: ToolResult | undefined): string => {
  if (!result?.ok) return `- ${code(path)} could not be read: ${reason(result?.content ?? '')}.`
  return `- ${code(path)}: ${explainManifest(nameOf(path), readLines(result))}.`
}

const marksHeadline = ({ matches, cut, failed }: Matches): string => {
  if (failed) return 'marks of open work could not be searched for'
  if (matches.length === 0) return `no line marked ${ANY_MARK}`
  return `${cut ? 'at least ' : ''}${plural(matches.length, 'line')} marked ${ANY_MARK}`
}

const marksLines = ({ matches }: Matches): string[] => {
  if (matches.length === 0) return []
  const kinds = tally(matches.flatMap(({ text }) => MARKS.filter((mark) => text.includes(mark)))).map(
    ([mark, n]) => `${mark} ${n}`,
  )
  const files = tally(matches.map(({ path }) => path)).map(([path, n]) => `${code(path)} (${n})`)
  return [`- Marks: ${some(kinds, 4)}, in ${some(files, 5)}.`]
}

const quoteLine = (at: { readonly path: string; readonly line: number }, result: ToolResult | undefined): string[] => {
  // Read again around the mark: what grep showed may be cut.
  const lines = result
    ? readLines(result)
        .map((line) => line.trim())
        .filter(Boolean)
    : []
  const marked = lines.find((line) => MARKS.some((mark) => line.includes(mark)))
  return marked ? [`- For example ${code(`${at.path}:${at.line}`)}: ${code(shorten(marked, 120))}.`] : []
}

/** Where the manifests are: at the top, else the ones nearest to it. */
function* findManifests(top: readonly string[]): Generator<Turn, readonly string[], readonly ToolResult[]> {
  const here = MANIFESTS.filter((name) => top.includes(name))
  if (here.length > 0) return here.slice(0, READ_MAX)
  const [deeper] = yield turn(
    'Nothing at the top says what the project needs. I look further down.',
    glob(`**/{${MANIFESTS.join(',')}}`),
  )
  return [...readPaths(deeper).paths].sort((a, b) => a.split('/').length - b.split('/').length).slice(0, READ_MAX)
}

/** What the project needs, how it is run, and what is marked as left to do. */
export function* surveyOpenEnds(): Plan {
  const [top, marked] = yield turn(
    'I look for manifests, and for marks of work left to do.',
    ls(ROOT),
    grep(`\\b(${MARKS.join('|')})\\b`),
  )
  if (!top?.ok) return `The folder could not be listed: ${reason(top?.content ?? '')}.`
  const marks = readMatches(marked)
  const manifests = yield* findManifests(readListing(top).files)

  const [most] = tally(marks.matches.map(({ path }) => path))[0] ?? []
  const first = marks.matches.find(({ path }) => path === most)
  const calls = [
    ...manifests.map((path) => readFile(`${ROOT}/${path}`, 1, LINES_READ)),
    ...(first ? [readFile(`${ROOT}/${first.path}`, first.line, first.line)] : []),
  ]
  const say = `I read ${[...manifests, ...(first ? [`${first.path} where it is marked`] : [])].join(', ')}.`
  const results = calls.length > 0 ? yield turn(say, ...calls) : []
  return [
    `${manifests.length > 0 ? plural(manifests.length, 'manifest') : 'No manifest the script knows'}; ${marksHeadline(marks)}.`,
    ...manifests.map((path, i) => manifestLine(path, results[i])),
    ...marksLines(marks),
    ...(first ? quoteLine(first, results[manifests.length]) : []),
    ...(marks.failed ? [`- The search failed: ${marks.failed}.`] : []),
    ...marks.notes.map((note) => `- ${note}`),
  ].join('\n')
}
