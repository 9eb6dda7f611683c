import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import { home } from './home.ts'
import { pathOf, placeIn, shownPath } from './place.ts'
import { told } from './told.ts'

const MODULE_ENDINGS = ['.mjs', '.js', '.cjs']
const CHECK_MS = 5000
/** Of the files of a folder no more are named. */
const NAMED_MAX = 8

/** Why a module did not load, for the person who configures it: what is wrong, in which file and line, and the way out. */
export const loadFailure = async (thrown: unknown, url: string): Promise<string> => {
  try {
    return (await known(thrown, url)) ?? placed(told(thrown), placeIn((thrown as Error | null)?.stack))
  } catch {
    return told(thrown)
  }
}

const placed = (words: string, place: string | null): string => (place === null ? words : `${words} (${place})`)

const known = async (thrown: unknown, url: string): Promise<string | null> => {
  if (!(thrown instanceof Error)) return `${told(thrown)} (${shownUrl(url)})`
  if (thrown instanceof SyntaxError) return placed(told(thrown), placeIn(thrown.stack) ?? (await syntaxPlace(url)))
  switch ('code' in thrown ? thrown.code : null) {
    case 'ERR_MODULE_NOT_FOUND':
      return notFound(thrown, url)
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return notJavaScript(thrown.message)
    case 'ERR_UNSUPPORTED_DIR_IMPORT':
      return `${shownUrl(url)} is a folder: the file in it must be named`
    default:
      return null
  }
}

const shownUrl = (url: string): string => {
  const path = pathOf(url)
  return path === null ? url.slice(0, 80) : shownPath(path)
}

const notFound = (error: Error, url: string): string | null => {
  const path = pathOf(url)
  if (path !== null && !existsSync(path)) return noFile(path)
  const [, kind, wanted = '', from = ''] =
    /^Cannot find (module|package) '(.+?)' imported from (.+)$/.exec(error.message) ?? []
  if (kind === undefined) return null
  const importer = shownPath(pathOf(from) ?? from)
  return kind === 'package'
    ? `${importer} imports the package ${wanted}, which is not installed (npm install ${wanted})`
    : `${importer} imports ${shownPath(wanted)}, which is not there`
}

const noFile = (path: string): string => {
  const says = `there is no file ${shownPath(path)}; paths start from the folder of the config, ${home}`
  const folder = dirname(path)
  if (!existsSync(folder)) return `${says}, and there is no folder ${shownPath(folder)} either`
  const files = readdirSync(folder).filter((file) => isModule(file) || extname(file) === '.ts')
  const meant = files.find((file) => stem(file) === stem(path))
  if (meant !== undefined) return `${says} (did you mean "${shownPath(`${folder}/${meant}`)}"?)`
  return files.length === 0 ? says : `${says}; its folder holds ${files.slice(0, NAMED_MAX).join(', ')}`
}

const isModule = (file: string): boolean => MODULE_ENDINGS.includes(extname(file))

/** A name without its ending, whatever its case: what a slip of the hand leaves as it was. */
const stem = (path: string): string => basename(path, extname(path)).toLowerCase()

const notJavaScript = (message: string): string => {
  const [, ending = '', path = ''] = /extension "(.*)" for (.+)$/.exec(message) ?? []
  const file = shownPath(path)
  const must = 'a tool must be JavaScript (.mjs or .js)'
  return /^\.[cm]?tsx?$/.test(ending)
    ? `${file} is TypeScript, which Node ${process.versions.node} does not load: ${must}, so compile it and name what comes out`
    : `${file} cannot be loaded: ${must}`
}

/**
 * The place of an error of syntax, which an import does not tell: Node says it only when it checks the file. One that
 * passes imports another that does not.
 */
const syntaxPlace = (url: string): Promise<string | null> =>
  new Promise((resolve) => {
    const path = pathOf(url)
    if (path === null) return resolve(null)
    execFile(process.execPath, ['--check', path], { timeout: CHECK_MS }, (failure, _, stderr) =>
      resolve(failure === null ? `in what ${shownPath(path)} imports` : (placeIn(stderr) ?? shownPath(path))),
    )
  })
