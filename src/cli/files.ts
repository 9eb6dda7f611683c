import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { oneLine } from './view/text.ts'

/** Where the files of a conversation lie on this machine: what agents see as `/mnt/user-data`. */
export const filesOf = (home: string, threadId: string): string => join(home, 'threads', threadId, 'user-data')

/** Files that are named one by one. */
const NAMED_MAX = 10
/** Files and folders that are looked at: an agent may have unpacked an archive there. */
const SEEN_MAX = 2000

const entriesOf = async (folder: string) => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    // Hidden ones are Troupe's, such as long results of tools, or nothing to look at.
    return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

const isSince = (path: string, since: number): Promise<boolean> =>
  lstat(path).then(
    ({ ctimeMs }) => ctimeMs >= since,
    () => false,
  )

/** The files below a folder that were written or put there since then, those at the top first. Follows no link. */
const filesSince = async (folder: string, since: number): Promise<readonly string[]> => {
  const found: string[] = []
  const folders = [folder]
  let seen = 0
  for (const at of folders) {
    for (const entry of await entriesOf(at)) {
      if (++seen > SEEN_MAX) return found
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (await isSince(path, since)) found.push(path)
    }
  }
  return found
}

/** A path as a shell in `cwd` takes it, whichever way is shorter. */
const pathFrom = (cwd: string, path: string): string => {
  const near = relative(cwd, path)
  return oneLine(near !== '' && near.length < path.length ? near : path)
}

/** What the files of a run are called, for the end of it; nothing where it left none. `since`: when it began. */
export const fileLines = async (outputs: string, since: number, cwd: string): Promise<readonly string[]> => {
  const files = await filesSince(outputs, since)
  if (files.length === 0) return []
  const more = files.length - NAMED_MAX
  return [
    ...files.slice(0, NAMED_MAX).map((path) => `file: ${pathFrom(cwd, path)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    `All results of this conversation are in ${pathFrom(cwd, outputs)}`,
  ]
}
