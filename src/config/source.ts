import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
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
  /** Names of the tools that the host brings. */
  readonly hostTools?: readonly string[] | undefined
}

/** A config that was found: the object itself, or the file that holds it and who named that file. */
interface Located {
  readonly source: ConfigSource
  /** Absolute folder that relative paths of the config start from. */
  readonly baseDir: string
  readonly content: { readonly object: unknown } | { readonly path: string; readonly namedBy: string }
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
  if (isUrl(config) || (typeof config === 'string' && config.startsWith('file:')))
    return inFile(pathOf(config), 'the option config')
  if (typeof config === 'string') return inFile(config === '' ? '' : resolve(cwd, config), 'the option config')
  if (config !== undefined && config !== null)
    return { source: { kind: 'object', path: null }, baseDir: cwd, content: { object: config } }
  const named = env['TROUPE_CONFIG']
  if (named !== undefined && named !== '') return inFile(resolve(cwd, named), 'the environment variable TROUPE_CONFIG')
  const fallback = resolve(cwd, DEFAULT_FILE)
  if (existsSync(fallback)) return inFile(fallback, 'nobody')
  return { source: { kind: 'defaults', path: null }, baseDir: cwd, content: { object: {} } }
}

/** A proxy may throw when it is asked what it is; whatever it is, it is no URL. */
const isUrl = (config: unknown): config is URL => {
  try {
    return config instanceof URL
  } catch {
    return false
  }
}

/** The path behind a URL; one that is no file's stays as it is, and is not found. */
const pathOf = (url: string | URL): string => {
  try {
    return fileURLToPath(url)
  } catch {
    return String(url)
  }
}

/** Longer than any config, and short enough to be read at once. In bytes. */
const BYTES_MAX = 4 * 1024 * 1024

type Read = { readonly text: string } | { readonly problems: readonly Problem[] }

const failed = (code: string, message: string): Read => ({ problems: [{ level: 'error', path: '', code, message }] })

/** Reads a file as UTF-8, with or without a byte order mark. */
export const readText = async (path: string, namedBy: string): Promise<Read> => {
  try {
    // Asked first: opening a pipe waits for somebody to write to it.
    const found = await stat(path)
    if (found.isDirectory()) return failed('file_unreadable', `${path} is a folder, and must be a file`)
    if (found.isFIFO() || found.isSocket())
      return failed('file_unreadable', `${path} is a pipe, and must be a file: write the config into one and name that`)
    const bytes = await readBytes(path)
    if (bytes === null) return failed('file_unreadable', `${path} is longer than ${BYTES_MAX / 1024 / 1024} MiB`)
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    return whyUnreadable(error, path, namedBy)
  }
}

const whyUnreadable = (error: unknown, path: string, namedBy: string): Read => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (path === '') return failed('file_missing', `${namedBy} is empty, and must name a file`)
  if (code === 'ENOENT') return failed('file_missing', `there is no file ${path}, named by ${namedBy}`)
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return failed('file_unreadable', `${path} is not UTF-8 text`)
  return failed('file_unreadable', `${path} cannot be read: ${messageOf(error)}`)
}

/** What the file holds; `null` where it is too long. Its size is not asked for: a device has none and never ends. */
const readBytes = async (path: string): Promise<Uint8Array | null> => {
  const file = await open(path)
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of file.createReadStream({ end: BYTES_MAX, autoClose: false })) {
      chunks.push(chunk)
      length += chunk.length
    }
    return length > BYTES_MAX ? null : Buffer.concat(chunks)
  } finally {
    await file.close()
  }
}
