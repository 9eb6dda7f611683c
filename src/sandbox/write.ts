import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { assertInside, realRoot } from './contain.ts'
import { locate, type Place } from './locate.ts'
import { assertFile, type Folder, openFolder, openInside } from './opened.ts'
import { codeOf, denied, refusal } from './refusal.ts'
import { type View, virtualPath } from './view.ts'

/** Paths that are never written, whatever is mounted there. */
const KEPT = [
  { start: '/mnt/skills', reason: 'Write access to skills path is not allowed' },
  { start: '/mnt/acp-workspace', reason: 'Write access to ACP workspace is not allowed' },
]

const assertNotKept = (path: string): void => {
  const kept = KEPT.find(({ start }) => path === start || path.startsWith(`${start}/`))
  if (kept !== undefined) throw denied(kept.reason)
}

const writablePlace = (view: View, raw: unknown): Place => {
  if (typeof raw === 'string') assertNotKept(raw)
  const place = locate(view, raw)
  assertNotKept(place.path)
  if (place.root === null || place.below.length === 0) throw refusal('EISDIR', 'a folder')
  if (!place.root.writable)
    throw denied(`Write access to read-only mount is not allowed: ${virtualPath(place.root.parts)}`)
  // The same answer whether it is there or not.
  if (place.root.hides(place.below)) throw denied('This name is reserved')
  return place
}

/** The deepest part of a place that is there, links followed, and the names that are missing below it. */
const deepestReal = async (place: Place): Promise<{ real: string; missing: readonly string[] }> => {
  for (let length = place.below.length; ; length--) {
    try {
      const real = await realpath(join(place.root.host, ...place.below.slice(0, length)))
      return { real, missing: place.below.slice(length) }
    } catch (error) {
      if (length === 0 || codeOf(error) !== 'ENOENT') throw error
    }
  }
}

/** Makes the folder `name` in an open folder, unless it is there, and steps into it. A link is no folder here. */
const stepInto = async (place: Place, rootReal: string, folder: Folder, name: string): Promise<Folder> => {
  try {
    await mkdir(folder.at(name)).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    return await openFolder(place, { rootReal, real: join(folder.real, name) }, folder.at(name))
  } finally {
    await folder.close()
  }
}

const openIn = async (
  place: Place,
  rootReal: string,
  folder: Folder,
  name: string,
  append: boolean,
): Promise<FileHandle> => {
  const path = folder.at(name)
  const there = await lstat(path).catch(() => null)
  if (there !== null) assertFile(there)
  // Not truncated by opening: first it must be sure which file this is.
  const flags = constants.O_WRONLY | constants.O_CREAT | (append ? constants.O_APPEND : 0)
  const handle = await openInside(place, { rootReal, real: join(folder.real, name) }, path, flags)
  try {
    assertFile(await handle.stat())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens a regular file for writing, made with its folders where it is missing. The caller closes the handle. */
export const openForWriting = async (
  view: View,
  raw: unknown,
  append: boolean,
): Promise<{ readonly path: string; readonly handle: FileHandle }> => {
  const place = writablePlace(view, raw)
  const rootReal = await realRoot(place.root)
  const { real, missing } = await deepestReal(place)
  assertInside(place, rootReal, join(real, ...missing))
  const names = missing.length > 0 ? missing : [basename(real)]
  const start = missing.length > 0 ? real : dirname(real)
  if (missing.length === 0 && real === rootReal) throw refusal('EISDIR', 'a folder')
  let folder = await openFolder(place, { rootReal, real: start })
  for (const name of names.slice(0, -1)) folder = await stepInto(place, rootReal, folder, name)
  try {
    return { path: place.path, handle: await openIn(place, rootReal, folder, names.at(-1) as string, append) }
  } finally {
    await folder.close()
  }
}
