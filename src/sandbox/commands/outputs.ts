import { type Dirent, lstatSync, opendirSync, type Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { realRoot } from '../contain.ts'
import { isDraft } from '../draft.ts'
import { rootOf, type View } from '../view.ts'

/** Names looked at; of a folder with more it is not told what changed. */
const ENTRIES_MAX = 2000
const DEPTH_MAX = 16
/** How long a look may hold up a thread. */
const HELD_MS = 50
const OUTPUTS: readonly string[] = ['mnt', 'user-data', 'outputs']
const START = `/${OUTPUTS.join('/')}`

/** Every file under outputs by its virtual path, with what changes when it is written; `null` when there are too many. */
export type Outputs = ReadonlyMap<string, string> | null

const stamp = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`

class TooMany extends Error {}

const read = async (folder: string, path: string, found: Map<string, string>, skip: string): Promise<void> => {
  if (path.split('/').length > DEPTH_MAX) return
  for await (const entry of await opendir(folder)) {
    const [below, name] = [join(folder, entry.name), `${path}/${entry.name}`]
    if (name === skip || isDraft(entry.name)) continue
    // Links are not followed: what they lead to was not written here.
    if (entry.isDirectory()) await read(below, name, found, skip)
    else if (entry.isFile()) found.set(name, stamp(await lstat(below)))
    if (found.size > ENTRIES_MAX) throw new TooMany()
  }
}

/** What lies under outputs now, without the runtime's own folder there. A file that goes meanwhile is left out. */
export const lookAtOutputs = async (view: View, ownFolder: string): Promise<Outputs> => {
  const root = rootOf(view, OUTPUTS)
  if (root === undefined) return null
  const found = new Map<string, string>()
  try {
    await read(await realRoot(root), START, found, `${START}/${ownFolder}`)
    return found
  } catch {
    return null
  }
}

const entriesNow = (folder: string, most: number): readonly Dirent[] => {
  const opened = opendirSync(folder)
  const entries: Dirent[] = []
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (entries.push(entry) > most) throw new TooMany()
    }
  } finally {
    opened.closeSync()
  }
  return entries
}

const readNow = (folder: string, path: string, found: Map<string, string>, skip: string, until: number): void => {
  if (path.split('/').length > DEPTH_MAX) return
  for (const entry of entriesNow(folder, ENTRIES_MAX)) {
    const [below, name] = [join(folder, entry.name), `${path}/${entry.name}`]
    if (name === skip || isDraft(entry.name)) continue
    if (found.size > ENTRIES_MAX || performance.now() > until) throw new TooMany()
    if (entry.isDirectory()) readNow(below, name, found, skip, until)
    else if (entry.isFile()) found.set(name, stamp(lstatSync(below)))
  }
}

/** What was seen in this turn of the event loop: the agents of a run that is stopped end in one, and share a folder. */
const seen = new Map<string, ReadonlyMap<string, string>>()

/** The same at once, for an agent that ends now: it has no time to wait in. What took too long to look at is left out. */
export const lookAtOutputsNow = (view: View, ownFolder: string): ReadonlyMap<string, string> => {
  const root = rootOf(view, OUTPUTS)
  const last = root && seen.get(root.host)
  if (last !== undefined) return last
  const found = new Map<string, string>()
  if (root === undefined) return found
  if (seen.size === 0) setImmediate(() => seen.clear())
  seen.set(root.host, found)
  try {
    // A command may have put a link in its place.
    if (lstatSync(root.host).isDirectory())
      readNow(root.host, START, found, `${START}/${ownFolder}`, performance.now() + HELD_MS)
  } catch {
    // What was found until then is true.
  }
  return found
}

/** Files that are new or other than before. */
export const writtenBetween = (before: Outputs, after: Outputs): readonly string[] => {
  if (before === null || after === null) return []
  return [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path)
}
