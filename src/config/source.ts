import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf, type Problem } from '../contract/errors.ts'
import type { Env } from './env.ts'

/** Where a config came from. */
export interface ConfigSource {
  readonly kind: 'file' | 'object' | 'defaults'
  /** Absolute path of the file. */
  readonly path: string | null
}

export interface ConfigOptions {
  /** Path, URL, or the tree itself. Left out: `$TROUPE_CONFIG`, then `./config.yaml`, then the built-in defaults. */
  readonly config?: string | URL | object | undefined
  /** Where `$NAME` is looked up. Left out: `process.env`. */
  readonly env?: Env | undefined
  /** What relative paths start from. Left out: the current folder. */
  readonly cwd?: string | undefined
  /** Names of agents that are kept elsewhere than in the config. */
  readonly managedAgents?: readonly string[] | undefined
}

/** A config that was found: its tree, or the file that holds it and who named that file. */
interface Located {
  readonly source: ConfigSource
  /** Absolute folder that relative paths of the config start from. */
  readonly baseDir: string
  readonly content: { readonly tree: unknown } | { readonly path: string; readonly namedBy: string }
}

interface Place {
  readonly config: ConfigOptions['config']
  readonly env: Env
  readonly cwd: string
}

const DEFAULT_FILE = 'config.yaml'

export const locate = ({ config, env, cwd }: Place): Located => {
  const inFile = (path: string, namedBy: string): Located => ({
    source: { kind: 'file', path },
    baseDir: dirname(path),
    content: { path, namedBy },
  })
  if (config instanceof URL || (typeof config === 'string' && config.startsWith('file:')))
    return inFile(pathOf(config), 'the option config')
  if (typeof config === 'string') return inFile(resolve(cwd, config), 'the option config')
  if (config !== undefined && config !== null)
    return { source: { kind: 'object', path: null }, baseDir: cwd, content: { tree: config } }
  const named = env['TROUPE_CONFIG']
  if (named !== undefined && named !== '') return inFile(resolve(cwd, named), 'the environment variable TROUPE_CONFIG')
  const fallback = resolve(cwd, DEFAULT_FILE)
  if (existsSync(fallback)) return inFile(fallback, 'nobody')
  return { source: { kind: 'defaults', path: null }, baseDir: cwd, content: { tree: {} } }
}

/** The path behind a URL; one that is no file's stays as it is, and is not found. */
const pathOf = (url: string | URL): string => {
  try {
    return fileURLToPath(url)
  } catch {
    return String(url)
  }
}

/** Reads a file as UTF-8, with or without a byte order mark. */
export const readText = async (
  path: string,
  namedBy: string,
): Promise<{ readonly text: string } | { readonly problems: readonly Problem[] }> => {
  const failed = (code: string, message: string) => ({
    problems: [{ level: 'error', path: '', code, message } satisfies Problem],
  })
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return failed('file_missing', `there is no file ${path}, named by ${namedBy}`)
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return failed('file_unreadable', `${path} is not UTF-8 text`)
    return failed('file_unreadable', `${path} cannot be read: ${messageOf(error)}`)
  }
}
