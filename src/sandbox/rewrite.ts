import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { follow, type RealPlace } from './contain.ts'
import { type Draft, openDraft } from './draft.ts'
import type { Place } from './locate.ts'
import { assertFile, type Folder, openFolder, openInside } from './opened.ts'
import { refusal, TOO_LARGE } from './refusal.ts'
import { inTurn } from './turns.ts'
import type { View } from './view.ts'
import { hostPath, writablePlace } from './writable.ts'

const TRIES = 5

/** What a file becomes; `null`: it stays as it is. */
export type Change = (bytes: Buffer) => Buffer | null

export interface RewriteOptions {
  /** Of a larger file nothing is read. */
  readonly bytesMax: number
  readonly signal: AbortSignal
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs

const readWhole = async (handle: FileHandle, size: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(size)
  let read = 0
  while (read < size) {
    const { bytesRead } = await handle.read(bytes, read, size - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** The draft becomes a file of the same owner and mode. */
const fill = async ({ handle }: Draft, bytes: Buffer, stats: BigIntStats): Promise<void> => {
  await handle.truncate(0)
  await handle.write(bytes, 0, bytes.length, 0)
  const made = await handle.stat({ bigint: true })
  // Only a privileged host may give files away; then the mode is set anew, since that takes bits out of it.
  if (made.uid !== stats.uid || made.gid !== stats.gid)
    await handle.chown(Number(stats.uid), Number(stats.gid)).catch(() => {})
  await handle.chmod(Number(stats.mode & 0o7777n))
}

/** `false`: somebody without a draft, such as a command, wrote the file meanwhile. */
const tryOnce = async (
  place: Place,
  where: RealPlace,
  folder: Folder,
  draft: Draft,
  change: Change,
  bytesMax: number,
): Promise<boolean> => {
  const path = folder.at(basename(where.real))
  // For writing too, though it is not written through this: who may not write a file may not replace it.
  const handle = await openInside(place, where, path, constants.O_RDWR)
  try {
    const stats = await handle.stat({ bigint: true })
    assertFile(stats)
    if (stats.size > bytesMax) throw refusal(TOO_LARGE, `${stats.size} bytes, at most ${bytesMax}`)
    const changed = change(await readWhole(handle, Number(stats.size)))
    if (changed === null) return true
    await fill(draft, changed, stats)
    if (!isSame(stats, await lstat(path, { bigint: true }))) return false
    await draft.publish()
    return true
  } finally {
    await handle.close()
  }
}

const rewrite = async (place: Place, change: Change, { bytesMax, signal }: RewriteOptions): Promise<void> => {
  const where = await follow(place)
  assertFile(await lstat(where.real))
  const folder = await openFolder(place, { rootReal: where.rootReal, real: dirname(where.real) })
  try {
    const draft = await openDraft(place, where.rootReal, folder, basename(where.real), signal)
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        signal.throwIfAborted()
        if (await tryOnce(place, where, folder, draft, change, bytesMax)) return
      }
      throw refusal('EBUSY', 'it changes all the time')
    } finally {
      await draft.drop()
    }
  } finally {
    await folder.close()
  }
}

/**
 * Replaces what a regular file holds by what `change` makes of it, in one step: nobody ever sees a half of it, and what
 * others wrote meanwhile is not lost. Returns its plain virtual path.
 */
export const rewriteFile = async (
  view: View,
  raw: unknown,
  change: Change,
  options: RewriteOptions,
): Promise<string> => {
  const place = writablePlace(view, raw)
  await inTurn(hostPath(place), () => rewrite(place, change, options))
  return place.path
}
