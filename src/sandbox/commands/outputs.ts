import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { realRoot } from '../contain.ts'
import { isDraft } from '../draft.ts'
import { rootOf, type View } from '../view.ts'

/** Names looked at; of a folder with more it is not told what changed. */
const ENTRIES_MAX = 2000
const DEPTH_MAX = 16
const OUTPUTS: readonly string[] = ['mnt', 'user-data', 'outputs']

/** Every file under outputs by its virtual path, with what changes when it is written; `null` when there are too many. */
export type Outputs = ReadonlyMap<string, string> | null

const stamp = async (path: string): Promise<string> => {
  const { ino, size, mtimeMs, ctimeMs } = await lstat(path)
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

class TooMany extends Error {}

const read = async (folder: string, path: string, found: Map<string, string>, skip: string): Promise<void> => {
  if (path.split('/').length > DEPTH_MAX) return
  for await (const entry of await opendir(folder)) {
    const [below, name] = [join(folder, entry.name), `${path}/${entry.name}`]
    if (name === skip || isDraft(entry.name)) continue
    // Links are not followed: what they lead to was not written here.
    if (entry.isDirectory()) await read(below, name, found, skip)
    else if (entry.isFile()) found.set(name, await stamp(below))
    if (found.size > ENTRIES_MAX) throw new TooMany()
  }
}

/** What lies under outputs now, without the runtime's own folder there. A file that goes meanwhile is left out. */
export const lookAtOutputs = async (view: View, ownFolder: string): Promise<Outputs> => {
  const root = rootOf(view, OUTPUTS)
  if (root === undefined) return null
  const found = new Map<string, string>()
  const start = `/${OUTPUTS.join('/')}`
  try {
    await read(await realRoot(root), start, found, `${start}/${ownFolder}`)
    return found
  } catch {
    return null
  }
}

/** Files that are new or other than before. */
export const writtenBetween = (before: Outputs, after: Outputs): readonly string[] => {
  if (before === null || after === null) return []
  return [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path)
}
