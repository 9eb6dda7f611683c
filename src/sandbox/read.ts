import { constants } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { follow } from './contain.ts'
import { locate } from './locate.ts'
import { assertFile, openInside } from './opened.ts'
import { refusal } from './refusal.ts'
import type { View } from './view.ts'

export interface OpenFile {
  readonly path: string
  readonly handle: FileHandle
  /** Bytes when it was opened. */
  readonly size: number
}

/** Opens a regular file for reading. The caller closes the handle. */
export const openForReading = async (view: View, raw: unknown): Promise<OpenFile> => {
  const place = locate(view, raw)
  if (place.root === null) throw refusal('EISDIR', 'a folder')
  const where = await follow(place)
  // Opening a device can already do something, so look first.
  assertFile(await lstat(where.real))
  const handle = await openInside(place, where, where.real, constants.O_RDONLY)
  try {
    const stats = await handle.stat()
    assertFile(stats)
    return { path: place.path, handle, size: stats.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}
