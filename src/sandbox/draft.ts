import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../contract/errors.ts'
import type { Place } from './locate.ts'
import { type Folder, openInside } from './opened.ts'
import { refusal } from './refusal.ts'

const PREFIX = '.troupe-draft-'
/** A change takes milliseconds: a draft this old is one whose process died. */
const ABANDONED_MS = 10_000
const LOOK_MS = 10
/** Longer than any draft is spared: whoever waits this long meets one that is made anew all the time. */
const WAIT_MS = 3 * ABANDONED_MS

/** Names that come and go while somebody writes. */
export const isDraft = (name: string): boolean => name.startsWith(PREFIX)

// File systems that ignore case or composition open one file by many names.
const draftOf = (name: string): string =>
  PREFIX + createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 16)

/**
 * What is to take the place of a file, beside it under a name that follows from the file's. Only one can make it, so
 * whoever has it is the only one, of all threads and processes of Troupe, who changes the file.
 */
export interface Draft {
  readonly handle: FileHandle
  /** Puts it in place of the file, in one step. */
  publish(): Promise<void>
  /** Takes it away, unless it was published. */
  drop(): Promise<void>
}

const clearAbandoned = async (path: string): Promise<void> => {
  const stats = await lstat(path).catch(() => null)
  // Also one from the future: a clock was set back, or a command gave it that time.
  if (stats === null || Math.abs(Date.now() - stats.mtimeMs) < ABANDONED_MS) return
  await unlink(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw refusal('EBUSY', 'a draft that cannot be taken away')
  })
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** Waits until nobody else changes the file `name` of an open folder. */
export const openDraft = async (
  place: Place,
  rootReal: string,
  folder: Folder,
  name: string,
  signal: AbortSignal,
): Promise<Draft> => {
  const path = folder.at(draftOf(name))
  const where = { rootReal, real: join(folder.real, draftOf(name)) }
  const open = (): Promise<FileHandle | null> =>
    openInside(place, where, path, FLAGS).catch((error) => {
      if (codeOf(error) === 'EEXIST') return null
      throw error
    })
  const until = performance.now() + WAIT_MS
  let handle = await open()
  while (handle === null) {
    if (performance.now() > until) throw refusal('EBUSY', `for ${WAIT_MS / 1000} seconds now`)
    await clearAbandoned(path)
    await pause(LOOK_MS, undefined, { signal })
    handle = await open()
  }
  const mine = handle
  let published = false
  return {
    handle: mine,
    async publish() {
      // Another may have taken it for abandoned, if this process was halted meanwhile.
      if ((await lstat(path)).ino !== (await mine.stat()).ino) throw refusal('EBUSY', 'the draft was taken away')
      await rename(path, folder.at(name))
      published = true
    },
    async drop() {
      await mine.close()
      if (!published) await unlink(path).catch(() => {})
    },
  }
}
