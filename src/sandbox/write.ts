import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../contract/errors.ts'
import { assertInside, realRoot } from './contain.ts'
import { type Draft, openDraft } from './draft.ts'
import type { Place } from './locate.ts'
import { assertFile, type Folder, openFolder, openInside } from './opened.ts'
import { refusal } from './refusal.ts'
import { inTurn } from './turns.ts'
import type { View } from './view.ts'
import { hostPath, writablePlace } from './writable.ts'

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

interface Target {
  readonly rootReal: string
  readonly folder: Folder
  readonly name: string
}

/** The open folder in which a place is to be written, made where it is missing. */
const folderOf = async (place: Place): Promise<Target> => {
  const rootReal = await realRoot(place.root)
  const { real, missing } = await deepestReal(place)
  assertInside(place, rootReal, join(real, ...missing))
  const names = missing.length > 0 ? missing : [basename(real)]
  const start = missing.length > 0 ? real : dirname(real)
  if (missing.length === 0 && real === rootReal) throw refusal('EISDIR', 'a folder')
  let folder = await openFolder(place, { rootReal, real: start })
  for (const name of names.slice(0, -1)) folder = await stepInto(place, rootReal, folder, name)
  return { rootReal, folder, name: names.at(-1) as string }
}

/** Opens a regular file for writing, made with its folders where it is missing. The caller closes the handle. */
export const openForWriting = async (
  view: View,
  raw: unknown,
  append: boolean,
): Promise<{ readonly path: string; readonly handle: FileHandle }> => {
  const place = writablePlace(view, raw)
  const { rootReal, folder, name } = await folderOf(place)
  try {
    return { path: place.path, handle: await openIn(place, rootReal, folder, name, append) }
  } finally {
    await folder.close()
  }
}

/** Without a right to the folder nobody can replace the file either, so then none is needed. */
const NO_DRAFT = new Set<string | undefined>(['EACCES', 'EPERM', 'EROFS'])

/** Keeps others from changing a file that is there; `null` where nobody could. */
const hold = async (place: Place, target: Target, signal: AbortSignal): Promise<Draft | null> => {
  const { rootReal, folder, name } = target
  if ((await lstat(folder.at(name)).catch(() => null)) === null) return null
  return openDraft(place, rootReal, folder, name, signal).catch((error) => {
    if (NO_DRAFT.has(codeOf(error))) return null
    throw error
  })
}

const write = async (place: Place, bytes: Buffer, append: boolean, signal: AbortSignal): Promise<void> => {
  const target = await folderOf(place)
  const { rootReal, folder, name } = target
  try {
    const held = await hold(place, target, signal)
    try {
      const handle = await openIn(place, rootReal, folder, name, append)
      try {
        if (!append) await handle.truncate(0)
        await handle.writeFile(bytes)
      } finally {
        await handle.close()
      }
    } finally {
      await held?.drop()
    }
  } finally {
    await folder.close()
  }
}

/** Writes a regular file, made with its folders where it is missing. Returns its plain virtual path. */
export const writeWhole = async (
  view: View,
  raw: unknown,
  bytes: Buffer,
  { append, signal }: { readonly append: boolean; readonly signal: AbortSignal },
): Promise<string> => {
  const place = writablePlace(view, raw)
  await inTurn(hostPath(place), () => write(place, bytes, append, signal))
  return place.path
}
