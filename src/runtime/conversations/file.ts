import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, messageOf, TroupeError } from '../../contract/errors.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

export const threadsFolder = (home: string): string => join(home, 'threads')
export const logFile = (home: string, threadId: string): string => join(threadsFolder(home), threadId, 'thread.jsonl')

/** Why a log cannot be used, with its name and the way out. */
export const unusable = (file: string, why: unknown): TroupeError =>
  why instanceof TroupeError
    ? why
    : new TroupeError('INTERNAL', `The conversation in ${file} cannot be opened: ${messageOf(why)}`, { cause: why })

const refuse = (why: string): never => {
  throw new Error(why)
}

/** What stands on the way to a folder and is none itself. */
const inTheWay = async (folder: string): Promise<string> => {
  const above = dirname(folder)
  return (await stat(above).catch(() => null)) || above === folder ? above : inTheWay(above)
}

/** No link is followed, in place of the log or of its folder: it could lead out of `home`. */
const assertOwn = async (file: string): Promise<void> => {
  const folder = dirname(file)
  const found = await lstat(folder).catch(async (error) => {
    if (codeOf(error) !== 'ENOTDIR') throw error
    return refuse(`${await inTheWay(folder)} is not a folder; move it away, or name another home`)
  })
  if (!found.isDirectory()) refuse(`${folder} is not a folder; move it away`)
}

const assertFile = async (handle: FileHandle): Promise<FileHandle> => {
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  return refuse('it is not a file; move it away')
}

const openAt = async (file: string, flags: number): Promise<FileHandle> => {
  await assertOwn(file)
  // Not blocking: a pipe in place of the log would wait for its other end.
  return assertFile(await open(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o600))
}

/** The log to be read, or `null` when there is none. */
export const openToRead = async (file: string): Promise<FileHandle | null> => {
  try {
    return await openAt(file, O_RDONLY)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

const ADD = O_WRONLY | O_APPEND

/** The log to be added to, which must be there: one that was removed is not begun again amid a run. */
export const openToAdd = (file: string): Promise<FileHandle> => openAt(file, ADD)

/** The log to be added to, made if it is not there. */
export const openOrMake = async (file: string): Promise<FileHandle> => {
  try {
    return await openAt(file, ADD | O_CREAT)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  await mkdir(dirname(file), { recursive: true })
  return openAt(file, ADD | O_CREAT)
}

/** Makes the log of a new thread. Its folder is new as well, or was made for the thread's files a moment ago. */
export const openNew = async (file: string): Promise<FileHandle> => {
  try {
    await mkdir(dirname(file))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') await mkdir(dirname(file), { recursive: true })
    else await assertOwn(file)
  }
  return open(file, ADD | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
}

/** Another file beside the log, which must not be there. */
export const openBeside = (file: string): Promise<FileHandle> =>
  open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)

/** Adds all of it, or throws; a file that takes appends keeps them whole and in order, whoever else appends. */
export const writeAll = async (
  handle: FileHandle,
  bytes: Uint8Array,
  written: (count: number) => void,
): Promise<void> => {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, null)
    at += bytesWritten
    written(at)
  }
}
