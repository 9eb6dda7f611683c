import type { FileHandle } from 'node:fs/promises'
import { openNew, openToAdd, writeAll } from './file.ts'
import { inTurn } from './in-turn.ts'

/** Logs that stay open between two writes. Beyond, each write opens its own. */
const OPEN_MAX = 128
let open = 0

/** Adds lines to the log of one run, in their order and never two writes at a time. */
export interface Writer {
  add(line: string): void
  /** Resolves once all that was added is written, and the log closed. What could not be written is lost then. */
  close(): Promise<void>
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

const NOTHING: Buffer = Buffer.alloc(0)

export const createWriter = ({ file, isNew, onFault, afterWrite }: WriterOptions): Writer => {
  let handle: FileHandle | null = null
  let isMade = !isNew
  let waiting = ''
  /** Of the write that failed: what it has left. */
  let left = NOTHING
  let failed = false
  let writing: Promise<void> | null = null

  const openLog = async (): Promise<FileHandle> => {
    const opened = await (isMade ? openToAdd(file) : openNew(file))
    isMade = true
    open++
    return opened
  }

  const closeLog = async (): Promise<void> => {
    if (!handle) return
    const closing = handle
    handle = null
    open--
    await closing.close()
  }

  const writeOut = async (text: string): Promise<void> => {
    const bytes = left.length > 0 ? Buffer.concat([left, Buffer.from(text)]) : Buffer.from(text)
    left = bytes
    handle ??= await openLog()
    await writeAll(handle, bytes, (count) => {
      left = bytes.subarray(count)
    })
    left = NOTHING
    if (open > OPEN_MAX) await closeLog()
  }

  const writeNext = async (): Promise<void> => {
    const text = waiting
    waiting = ''
    await inTurn(() => writeOut(text))
    if (await afterWrite(text)) await closeLog()
  }

  const writeAllOut = async (): Promise<void> => {
    // At the end of this turn: what comes with one message of a thread goes into one write.
    await null
    try {
      while (waiting !== '') await writeNext()
    } catch (error) {
      await closeLog().catch(() => {})
      if (!failed) onFault(error)
      failed = true
    }
    writing = null
  }

  return {
    add(line) {
      waiting += line
      writing ??= writeAllOut()
    },
    async close() {
      await writing
      // What came while a write that had failed was dealt with.
      if (waiting !== '') await writeAllOut()
      await closeLog().catch(() => {})
    },
  }
}
