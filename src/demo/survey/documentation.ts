import { type Call, type Plan, type ToolResult, type Turn, turn } from '../plan.ts'
import { code, list, plural, reason, shorten, some } from '../prose.ts'
import { glob, grep, ls, type Paths, ROOT, readFile, readLines, readListing, readMatches, readPaths } from '../tools.ts'
import { nameOf } from './languages.ts'

const isReadme = (name: string): boolean => /^readme(\.\w+)?$/i.test(name)
const isLicence = (name: string): boolean => /^(licen[cs]e|copying|unlicense)(\.\w+|-\w+)?$/i.test(name)
const isKnown = (name: string): boolean =>
  /^(contributing|changelog|changes|security|code_of_conduct|authors|agents)(\.\w+)?$/i.test(name)

const LICENCES: readonly (readonly [RegExp, string])[] = [
  [/\bMIT License\b|Permission is hereby granted, free of charge/i, 'MIT'],
  [/Apache License/i, 'Apache 2.0'],
  [/AFFERO GENERAL PUBLIC/i, 'AGPL'],
  [/LESSER GENERAL PUBLIC/i, 'LGPL'],
  [/GNU GENERAL PUBLIC/i, 'GPL'],
  [/Mozilla Public License/i, 'MPL'],
  [/BSD \d-Clause|Redistribution and use in source and binary forms/i, 'BSD'],
  [/ISC License/i, 'ISC'],
  [/free and unencumbered/i, 'Unlicense'],
]

const depth = (path: string): number => path.split('/').length

const licenceLine = (name: string | undefined, result: ToolResult | undefined): string => {
  if (!name) return '- No licence file at the top.'
  if (!result?.ok) return `- ${code(name)} could not be read: ${reason(result?.content ?? '')}.`
  const known = LICENCES.find(([pattern]) => pattern.test(result.content))?.[1]
  const first = readLines(result).find((line) => line.trim() !== '')
  return `- Licence (${code(name)}): ${known ?? (first ? `not one the script knows; it begins with ${code(shorten(first.trim(), 80))}` : 'the file is empty')}.`
}

const titleOf = (lines: readonly string[]): string | undefined =>
  lines.map((line) => /^#\s+(.+?)\s*#*$/.exec(line)?.[1]).find(Boolean)

const withoutCode = (lines: readonly string[]): readonly string[] => {
  let fenced = false
  return lines.filter((line) => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) fenced = !fenced
    return !isFence && !fenced
  })
}

/** The first paragraph of plain words: no heading, badge, image, list, table or markup. */
const paragraphOf = (text: readonly string[]): string | undefined => {
  const lines = withoutCode(text)
  const start = lines.findIndex(
    (line) => /^[\p{L}\p{N}*_`"'([][^\n]*\p{L}{2}/u.test(line) && !/^(\[!\[|!\[|[*+-] )/.test(line),
  )
  if (start < 0) return undefined
  const rest = lines.slice(start)
  const end = rest.findIndex((line) => line.trim() === '' || /^(#|```|[=-]{3,})/.test(line))
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const readmeLines = (path: string, result: ToolResult, sections: readonly string[]): string[] => {
  if (!result.ok) return [`${code(path)} is there but could not be read: ${reason(result.content)}.`]
  const lines = readLines(result)
  if (lines.length === 0) return [`${code(path)} is there but empty.`]
  const [title, paragraph] = [titleOf(lines), paragraphOf(lines)]
  return [
    title ? `${code(path)} introduces “${shorten(title, 80)}”.` : `${code(path)} is there, without a title.`,
    ...(paragraph ? [`- It says: “${shorten(paragraph, 280)}”`] : ['- No paragraph of plain words at its beginning.']),
    ...(sections.length > 0
      ? [
          `- Its sections: ${some(
            sections.map((name) => shorten(name, 50)),
            10,
          )}.`,
        ]
      : []),
  ]
}

const furtherLine = (others: readonly string[], { cut, failed }: Paths): string => {
  if (failed) return `- Further pages could not be searched for: ${failed}.`
  if (others.length === 0) return '- No further pages of text.'
  return `- ${cut ? 'At least ' : ''}${plural(others.length, 'further page')} of text, such as ${list(others.slice(0, 4).map(code))}.`
}

function* readReadme(path: string, licence: string | undefined): Generator<Turn, string[], readonly ToolResult[]> {
  const wanted: Call[] = [
    readFile(`${ROOT}/${path}`, 1, 80),
    ...(licence ? [readFile(`${ROOT}/${licence}`, 1, 12)] : []),
  ]
  const [readme, terms] = yield turn(
    `There is ${path}${licence ? ` and ${licence}` : ''}. I read how they begin.`,
    ...wanted,
  )
  let sections: string[] = []
  if (readme?.ok && readLines(readme).some((line) => line.startsWith('#'))) {
    const [headings] = yield turn('Now its sections.', grep('^##+ ', `${ROOT}/${path}`))
    sections = readMatches(headings).matches.map(({ text }) => text.replace(/^#+\s*|\s*#+$/g, ''))
  }
  const [headline = '', ...rest] = readme ? readmeLines(path, readme, sections) : []
  return [path.includes('/') ? `No README at the top; ${headline}` : headline, ...rest, licenceLine(licence, terms)]
}

/** What a newcomer is told: the README, its sections, the licence, further pages. */
export function* surveyDocumentation(): Plan {
  const [top, pages] = yield turn(
    'I look for a README and other pages to read.',
    ls(ROOT),
    glob('**/*.{md,mdx,rst,adoc,txt}'),
  )
  if (!top?.ok) return `The folder could not be listed: ${reason(top?.content ?? '')}.`
  const { files } = readListing(top)
  const found = readPaths(pages)
  const licence = files.find(isLicence)
  const readme =
    files.find(isReadme) ?? found.paths.filter((path) => isReadme(nameOf(path))).sort((a, b) => depth(a) - depth(b))[0]

  const known = files.filter(isKnown)
  const others = found.paths.filter((path) => path !== readme && path !== licence && !known.includes(path))
  const further = [
    ...(known.length > 0 ? [`- Also at the top: ${list(known.map(code))}.`] : []),
    furtherLine(others, found),
  ]
  if (readme) return [...(yield* readReadme(readme, licence)), ...further].join('\n')
  const [terms] = licence
    ? yield turn(`No README, but ${licence}. I read how it begins.`, readFile(`${ROOT}/${licence}`, 1, 12))
    : []
  return ['No README was found.', licenceLine(licence, terms), ...further].join('\n')
}
