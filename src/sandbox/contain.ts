import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { codeOf } from '../contract/errors.ts'
import type { Place } from './locate.ts'
import { denied, refusal } from './refusal.ts'
import { OWN_FOLDERS, type Root } from './view.ts'

const makeOwnFolders = async (userData: string): Promise<void> => {
  for (const folder of OWN_FOLDERS) await mkdir(join(userData, folder), { recursive: true })
}

const firstReal = async (root: Root): Promise<string> => {
  try {
    return await realpath(root.host)
  } catch (error) {
    if (!root.own || codeOf(error) !== 'ENOENT') throw error
    await makeOwnFolders(dirname(root.host))
    return realpath(root.host)
  }
}

/** The folder of the machine behind a root, links followed. */
export const realRoot = async (root: Root): Promise<string> => {
  const real = await firstReal(root)
  // A command may have put a link in place of the folder itself: then everything would be inside.
  if (root.own && real !== join(await realpath(dirname(root.host)), basename(root.host))) {
    throw denied('The folder was replaced by a link')
  }
  return real
}

/** Segments of a real path below a real root, or `null` when it lies outside. */
const below = (root: string, real: string): readonly string[] | null => {
  if (real === root) return []
  const start = root.endsWith(sep) ? root : root + sep
  return real.startsWith(start) ? real.slice(start.length).split(sep) : null
}

/**
 * Segments of a real path below its root. Throws when it lies outside, or is hidden: what is hidden looks as if it were
 * not there.
 */
export const assertInside = ({ root }: Place, rootReal: string, real: string): readonly string[] => {
  const segments = below(rootReal, real)
  if (segments === null) throw denied('Access denied: a link leads out of its folder')
  if (root.hides(segments)) throw refusal('ENOENT', 'hidden')
  return segments
}

const assertShown = ({ root, below }: Place): void => {
  if (root.hides(below)) throw refusal('ENOENT', 'hidden')
}

export interface RealPlace {
  readonly rootReal: string
  readonly real: string
}

/** Follows the links of a place that must exist. */
export const follow = async (place: Place): Promise<RealPlace> => {
  assertShown(place)
  const rootReal = await realRoot(place.root)
  const real = await realpath(join(place.root.host, ...place.below))
  assertInside(place, rootReal, real)
  return { rootReal, real }
}
