import { type Plan, type ToolResult, type Turn, turn } from '../plan.ts'
import { code, list, plural, reason, shorten, some, tally } from '../prose.ts'
import { glob, type Listing, ls, type Paths, ROOT, readFile, readLines, readListing, readPaths } from '../tools.ts'
import { extensionOf, languageOf } from './languages.ts'

/** Folders counted one by one where the whole does not fit one list. */
const FOLDERS_MAX = 6

const languages = (paths: readonly string[]) => tally(paths.flatMap((path) => languageOf(path) ?? []))

const folderOf = (path: string): string => (path.includes('/') ? (path.split('/', 1)[0] ?? '') : '')

/** Lists of parts of the folder as one, which is never known to be complete. */
const merge = (parts: readonly Paths[]): Paths => ({
  paths: [...new Set(parts.flatMap(({ paths }) => paths))],
  cut: true,
  failed: null,
  notes: parts[0]?.notes ?? [],
})

/** The fullest folders by what `ls` showed; those it did not look into count as empty. */
const fullest = ({ folders }: Listing): readonly string[] =>
  folders
    .filter(({ holds }) => holds > 0)
    .sort((a, b) => b.holds - a.holds)
    .slice(0, FOLDERS_MAX)
    .map(({ name }) => name)

const headline = ({ paths, cut }: Paths): string => {
  const [first, ...others] = languages(paths)
  const code = first
    ? `${others.length > 0 ? 'mostly ' : ''}${first[0]} (${plural(first[1], 'file')})`
    : 'none the script knows'
  return `${cut ? 'At least ' : ''}${plural(paths.length, 'file')}. Code: ${code}.`
}

const folderLine = ({ folders, files, cut }: Listing, { paths }: Paths): string => {
  const counts = tally(paths.map(folderOf).filter(Boolean))
  const named = counts.map(([name, n]) => `${code(`${name}/`)} (${n})`)
  const rest = folders.length - counts.length
  const unseen = rest > 0 ? `; ${plural(rest, 'further folder')} not counted` : ''
  return `- At the top${cut ? ', as far as it was listed' : ''}: ${plural(folders.length, 'folder')} and ${plural(files.length, 'file')}.${named.length > 0 ? ` Files by folder: ${some(named, 8)}${unseen}.` : ''}`
}

const typeLine = ({ paths }: Paths): string => {
  const types = tally(paths.map((path) => (extensionOf(path) === '' ? 'no extension' : `.${extensionOf(path)}`)))
  return `- File types: ${some(
    types.map(([name, n]) => `${name} ${n}`),
    8,
  )}.`
}

const languageLine = ({ paths }: Paths): string => {
  const found = languages(paths)
  return found.length > 1
    ? `- Languages: ${some(
        found.map(([name, n]) => `${name} ${n}`),
        6,
      )}.`
    : ''
}

const sampleLine = (path: string, result: ToolResult): string => {
  if (!result.ok) return `- ${code(path)} could not be read: ${reason(result.content)}.`
  const line = readLines(result).find((text) => /[\p{L}\p{N}]{2}/u.test(text))
  return line
    ? `- ${code(path)} begins with ${code(shorten(line.trim(), 100))}.`
    : `- ${code(path)} is empty or holds no words at its beginning.`
}

const insideLine = (folder: string, result: ToolResult): string => {
  const { folders, files } = readListing(result, `${ROOT}/${folder}`)
  const names = [...folders.map(({ name }) => `${name}/`), ...files]
  return names.length > 0 ? `- In ${code(`${folder}/`)}: ${some(names.map(code), 8)}.` : ''
}

const foldersOnly = ({ folders, files }: Listing, { failed, notes }: Paths): string => {
  const names = [...folders.map(({ name }) => `${name}/`), ...files].map(code)
  return [
    failed ? `The files could not be counted: ${failed}.` : 'No file was found, only folders or what is not searched.',
    `- At the top: ${some(names, 8)}.`,
    ...notes.map((note) => `- ${note}`),
  ].join('\n')
}

function* countAll(top: Listing): Generator<Turn, Paths, readonly ToolResult[]> {
  const [whole] = yield turn(
    `The top holds ${plural(top.folders.length, 'folder')} and ${plural(top.files.length, 'file')}. I count the files by type.`,
    glob('**/*'),
  )
  const all = readPaths(whole)
  const folders = fullest(top)
  if (!all.cut || folders.length === 0) return all
  const parts = yield turn(
    `The list stops after ${all.paths.length} files, so I count ${list(folders.map((name) => `${name}/`))} one by one.`,
    glob('*'),
    ...folders.map((name) => glob('**/*', `${ROOT}/${name}`)),
  )
  return merge([all, ...parts.map((part) => readPaths(part))])
}

/** What the folder holds: how many files, of which types, in which folders, and a look into the fullest one. */
export function* surveyLayout(): Plan {
  const [top] = yield turn('I begin with the top of the folder.', ls(ROOT))
  if (!top?.ok) return `The folder could not be listed: ${reason(top?.content ?? '')}.`
  const listing = readListing(top)
  if (listing.folders.length + listing.files.length === 0)
    return 'The folder is empty, or all it holds is hidden from agents.'

  const counted = yield* countAll(listing)
  if (counted.paths.length === 0) return foldersOnly(listing, counted)
  const [biggest] = tally(counted.paths.map(folderOf).filter(Boolean))[0] ?? []
  const [main] = languages(counted.paths)[0] ?? []
  const sample = counted.paths.find((path) => languageOf(path) === main) ?? counted.paths[0] ?? ''
  const looks = yield turn(
    `${headline(counted)} I look ${biggest ? `into ${biggest}/ and ` : ''}at one file.`,
    readFile(`${ROOT}/${sample}`, 1, 20),
    ...(biggest ? [ls(`${ROOT}/${biggest}`)] : []),
  )
  return [
    headline(counted),
    folderLine(listing, counted),
    languageLine(counted),
    typeLine(counted),
    biggest && looks[1] ? insideLine(biggest, looks[1]) : '',
    looks[0] ? sampleLine(sample, looks[0]) : '',
    ...counted.notes.map((note) => `- ${note}`),
  ]
    .filter(Boolean)
    .join('\n')
}
