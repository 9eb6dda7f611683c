import type { FileHandle } from 'node:fs/promises'
import { openNew, openToAdd, writeAll } from './file.ts'
import { inTurn } from './in-turn.ts'

/** Logs that stay open between two writes. Beyond, each write opens its own. */
const OPEN_MAX = 128
let open = 0

/** Adds lines to the log of one run, in their order and never two writes at a time. */
export interface Writer {
  /** After `close` nothing is added any more. */
  add(line: string): void
  /**
   * Adds the last line, in a write of its own: it says that the log is another's, so nothing of this run may follow it,
   * not even what `afterWrite` does. Resolves once all is written, and the log closed. What could not be written is lost
   * then.
   */
  close(last: string): Promise<void>
}

export interface WriterOptions {
  readonly file: string
  /** The log is made with the first line, and must not be there. */
  readonly isNew: boolean
  /** Told once, of the first write that failed. Later ones try again, with what that one has left. */
  onFault(why: unknown): void
  /** Called after each write, before the next. Resolves with whether the log was replaced. */
  afterWrite(text: string): Promise<boolean>
}

/** The log of one run, opened when there is something to write. */
const createLog = (file: string, isNew: boolean) => {
  let handle: FileHandle | null = null
  let isMade = !isNew

  const openLog = async (): Promise<FileHandle> => {
    const opened = await (isMade ? openToAdd(file) : openNew(file))
    isMade = true
    open++
    return opened
  }

  const close = async (): Promise<void> => {
    if (!handle) return
    const closing = handle
    handle = null
    open--
    await closing.close()
  }

  return {
    async write(bytes: Uint8Array, written: (count: number) => void): Promise<void> {
      handle ??= await openLog()
      await writeAll(handle, bytes, written)
      if (open > OPEN_MAX) await close()
    },
    /** A file that was removed while it is open takes what is written to it, and nobody finds it again. */
    async assertThere(): Promise<void> {
      if (handle && (await handle.stat()).nlink === 0) throw new Error('it was removed while the run was under way')
    },
    close,
  }
}

const NOTHING: Buffer = Buffer.alloc(0)

export const createWriter = ({ file, isNew, onFault, afterWrite }: WriterOptions): Writer => {
  const log = createLog(file, isNew)
  let waiting = ''
  /** Of the write that failed: what it has left. */
  let left = NOTHING
  let failed = false
  let writing: Promise<void> | null = null
  let closing = false

  const fail = (why: unknown): void => {
    if (!failed) onFault(why)
    failed = true
  }

  const writeOut = async (text: string): Promise<void> => {
    const bytes = left.length > 0 ? Buffer.concat([left, Buffer.from(text)]) : Buffer.from(text)
    left = bytes
    await log.write(bytes, (count) => {
      left = bytes.subarray(count)
    })
    left = NOTHING
  }

  const writeNext = async (): Promise<void> => {
    const text = waiting
    waiting = ''
    await inTurn(() => writeOut(text))
    if (await afterWrite(text)) await log.close()
  }

  const writeAllOut = async (): Promise<void> => {
    // At the end of this turn: what comes with one message of a thread goes into one write.
    await null
    try {
      while (waiting !== '') await writeNext()
    } catch (error) {
      await log.close().catch(() => {})
      fail(error)
    }
    writing = null
  }

  return {
    add(line) {
      if (closing) return
      waiting += line
      writing ??= writeAllOut()
    },
    async close(last) {
      closing = true
      await writing
      // What came while a write that had failed was dealt with.
      if (waiting !== '') await writeAllOut()
      // Before the last line: from then on another run may put a rewritten log in its place.
      await log.assertThere().catch(fail)
      waiting = last
      await writeAllOut()
      await log.close().catch(() => {})
    },
  }
}
