import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { home } from './home.ts'

const OWN = import.meta.url

/** A path as the user's config would write it: from the config's folder, where the process runs. */
export const shownPath = (path: string): string => {
  const inside = relative(home, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : `./${inside.replaceAll(sep, '/')}`
}

/** The path behind a file URL, or `null` for any other. */
export const pathOf = (url: string): string | null => (url.startsWith('file:') ? fileURLToPath(url) : null)

/** How errors of syntax begin: the place is the first line. */
const HEAD = /^(file:\/\/\S+|\/[^\n]+|[A-Z]:\\[^\n]+):(\d+)$/
const FRAME = /^\s+at (?:.* \()?(file:\/\/[^)]+|\/[^)]+|[A-Z]:\\[^)]+?):(\d+):\d+\)?$/

/** Lines of a stack that lie in the user's code, down to where Troupe called it. */
const frames = (stack: string): readonly { readonly file: string; readonly line: string }[] => {
  const lines = stack.split('\n')
  const own = lines.findIndex((line) => line.includes(OWN))
  return lines.slice(0, own < 0 ? lines.length : own).flatMap((line, index) => {
    const [, file, at] = (index === 0 ? HEAD.exec(line) : null) ?? FRAME.exec(line) ?? []
    return file === undefined || at === undefined ? [] : [{ file: pathOf(file) ?? file, line: at }]
  })
}

/** Where something was thrown, such as `./tools/search.mjs:3`, the user's own files before packages of theirs. */
export const placeIn = (stack: unknown): string | null => {
  const all = typeof stack === 'string' ? frames(stack) : []
  const found = all.find(({ file }) => !file.includes('node_modules')) ?? all[0]
  return found === undefined ? null : `${shownPath(found.file)}:${found.line}`
}
