import { constants, existsSync, readlinkSync, type StatsBase } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { assertInside, type RealPlace } from './contain.ts'
import type { Place } from './locate.ts'
import { denied, IRREGULAR, refusal } from './refusal.ts'

// Linux, unless somebody runs it without /proc.
const hasOpenPaths = process.platform === 'linux' && existsSync('/proc/self/fd')

type Stats = Pick<StatsBase<unknown>, 'isDirectory' | 'isFile' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>

const kindOf = (stats: Stats): string => {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isSymbolicLink() ? 'a link' : 'a device'
}

export const assertFile = (stats: Stats): void => {
  if (stats.isDirectory()) throw refusal('EISDIR', 'a folder')
  if (!stats.isFile()) throw refusal(IRREGULAR, kindOf(stats))
}

/**
 * Where an open file really lies. Between the check of a path and its opening a link may take the place of any folder on
 * the way, so what counts is what was opened. Only Linux can say it; elsewhere the path is looked at once more.
 */
const openedPath = async (handle: FileHandle, real: string): Promise<string> => {
  // At once: the kernel answers from memory, ten times as fast as a turn through the pool of threads.
  if (hasOpenPaths) return readlinkSync(`/proc/self/fd/${handle.fd}`)
  const [again, ours] = [await lstat(real), await handle.stat()]
  if (again.ino !== ours.ino || again.dev !== ours.dev) throw denied('The path changed while it was opened')
  return realpath(real)
}

/** Opens a path whose links were followed; throws when it turns out to lie elsewhere. */
export const openInside = async (
  place: Place,
  { rootReal, real }: RealPlace,
  path: string,
  flags: number,
): Promise<FileHandle> => {
  const handle = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666)
  try {
    assertInside(place, rootReal, await openedPath(handle, real))
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** An open folder: what is named through it lies in it, whatever happens to its path meanwhile. */
export interface Folder {
  readonly real: string
  at(name: string): string
  /** The folder itself, to be listed. */
  readonly self: string
  close(): Promise<void>
}

export const openFolder = async (place: Place, where: RealPlace, path = where.real): Promise<Folder> => {
  const handle = await openInside(place, where, path, constants.O_RDONLY | constants.O_DIRECTORY)
  const self = hasOpenPaths ? `/proc/self/fd/${handle.fd}` : where.real
  return { real: where.real, self, at: (name) => join(self, name), close: () => handle.close() }
}
