import type { Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { assertInside, follow } from './contain.ts'
import { isDraft } from './draft.ts'
import type { Hides } from './hidden.ts'
import { locate, type Place } from './locate.ts'
import { type Folder, openFolder } from './opened.ts'
import { refusal } from './refusal.ts'
import { namesTowardsRoots, type View } from './view.ts'

export interface Entry {
  readonly name: string
  /** `link`: not followed here, see `kindAt`. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

export interface Listing {
  readonly path: string
  /** Sorted by name. */
  readonly entries: readonly Entry[]
  /** There are more than were asked for. */
  readonly cut: boolean
}

const kindOf = (entry: Dirent): Entry['kind'] => {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

const byName = (a: Entry, b: Entry): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Reads one name after the other, so that a folder of a million names costs no more than `max`. */
const readEntries = async (hides: Hides, folder: Folder, max: number): Promise<{ entries: Entry[]; cut: boolean }> => {
  const entries: Entry[] = []
  for await (const entry of await opendir(folder.self, { bufferSize: 256 })) {
    if (isDraft(entry.name) || hides([entry.name])) continue
    if (entries.length >= max) return { entries, cut: true }
    entries.push({ name: entry.name, kind: kindOf(entry) })
  }
  return { entries, cut: false }
}

const listPlace = async (place: Place, max: number): Promise<{ entries: Entry[]; cut: boolean }> => {
  const where = await follow(place)
  const { root, below } = place
  const segments = assertInside(place, where.rootReal, where.real)
  const hides: Hides = (names) => root.hides([...below, ...names]) || root.hides([...segments, ...names])
  if (!(await stat(where.real)).isDirectory()) throw refusal('ENOTDIR', 'a file')
  const folder = await openFolder(place, where)
  try {
    return await readEntries(hides, folder, max)
  } finally {
    await folder.close()
  }
}

/** What a folder holds, at most `max` names: those of the machine and those that lead on to a root. */
export const listFolder = async (view: View, raw: unknown, max: number): Promise<Listing> => {
  const place = locate(view, raw)
  const { entries, cut } = place.root === null ? { entries: [], cut: false } : await listPlace(place, max)
  const towards = place.root === null ? place.names : namesTowardsRoots(view, [...place.root.parts, ...place.below])
  const listed = entries.filter(({ name }) => !towards.has(name))
  const all = [...listed, ...Array.from(towards, (name): Entry => ({ name, kind: 'folder' }))]
  return { path: place.path, entries: all.sort(byName), cut }
}

/** What a path is in the end: `null` when it leads nowhere, out of its root or to something hidden. */
export const kindAt = async (view: View, path: string): Promise<'file' | 'folder' | 'other' | null> => {
  try {
    const place = locate(view, path)
    if (place.root === null) return 'folder'
    const stats = await stat((await follow(place)).real)
    if (stats.isDirectory()) return 'folder'
    return stats.isFile() ? 'file' : 'other'
  } catch {
    return null
  }
}
