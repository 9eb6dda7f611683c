import { codeOf } from '../contract/errors.ts'
import { type Entry, kindAt, listFolder } from './list.ts'
import { DENIED } from './refusal.ts'
import type { View } from './view.ts'

export interface Found {
  readonly path: string
  /** Segments below where the walk began. */
  readonly segments: readonly string[]
  readonly kind: 'file' | 'folder' | 'other'
}

export interface WalkOptions {
  readonly signal: AbortSignal
  readonly depth: number
  /** Names read before the walk gives up. */
  readonly entries: number
  /** What is left out: neither shown nor entered. */
  leavesOut(segments: readonly string[], kind: Entry['kind']): boolean
  /** Whether to look into a folder; it is shown either way. */
  enters(segments: readonly string[]): boolean
}

/** What a walk did not look at, for those who report on it. */
export interface WalkReport {
  /** It gave up before the end. */
  cut: boolean
  unreadable: number
  /** Folders that were not entered, lying too deep. */
  deep: number
}

interface Level {
  readonly segments: readonly string[]
  readonly entries: readonly Entry[]
  at: number
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', DENIED])

/** What an entry is to those who walk; `null`: left out, or a link that leads nowhere they may go. */
const look = async (
  view: View,
  path: string,
  segments: readonly string[],
  entry: Entry,
  options: WalkOptions,
): Promise<Found | null> => {
  if (options.leavesOut(segments, entry.kind)) return null
  const kind = entry.kind === 'link' ? await kindAt(view, path) : entry.kind
  return kind === null ? null : { path, segments, kind }
}

/**
 * Everything below a folder, each folder before what it holds, names in order. Links to folders are shown and never
 * entered, so there are no cycles; links out of the root are left out.
 */
export async function* walk(
  view: View,
  start: string,
  options: WalkOptions,
  report: WalkReport,
): AsyncGenerator<Found> {
  let left = options.entries
  const levelOf = async (path: string, segments: readonly string[]): Promise<Level> => {
    const { entries, cut } = await listFolder(view, path, left)
    left -= entries.length
    report.cut ||= cut
    return { segments, entries, at: 0 }
  }
  // A folder below the start may vanish or be closed to us meanwhile; the rest is still worth having.
  const skip = (error: unknown): null => {
    if (!UNREADABLE.has(codeOf(error) ?? '')) throw error
    report.unreadable++
    return null
  }
  const open = [await levelOf(start, [])]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    options.signal.throwIfAborted()
    const entry = level.entries[level.at++]
    if (entry === undefined) {
      open.pop()
      continue
    }
    const segments = [...level.segments, entry.name]
    const found = await look(view, `${start}/${segments.join('/')}`, segments, entry, options)
    if (found === null) continue
    yield found
    if (entry.kind !== 'folder' || !options.enters(segments)) continue
    if (segments.length >= options.depth) {
      report.deep++
      continue
    }
    const inner = await levelOf(found.path, segments).catch(skip)
    if (inner !== null) open.push(inner)
  }
}
