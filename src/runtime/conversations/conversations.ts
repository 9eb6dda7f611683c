import { stat } from 'node:fs/promises'
import { type LedgerRow, NOTHING_RECALLED, type Recalled } from '../../contract/conversation.ts'
import { messageOf } from '../../contract/errors.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import type { Clock } from '../clock.ts'
import { claim } from './claim.ts'
import { logFile, unusable } from './file.ts'
import { hold, letGo } from './held.ts'
import { ownOwner } from './owner.ts'
import { firstText, lineOf } from './record.ts'
import { removeHalfWritten, rewriteLog } from './rewrite.ts'
import { createWriter, type Writer } from './writer.ts'

/** One thread's conversation, in the hands of one run. What is added is on its way to the disk at once. */
export interface Conversation {
  /** Adds a `ThreadEntry`. It is JSON text and stays unread on this thread. */
  add(entry: string): void
  note(row: LedgerRow): void
  /** Writes that the run has ended. `written` is called once all of it is on the disk and the next run may begin. */
  end(status: TerminalStatus, written: () => void): void
}

/** Keeps nothing: of a run that has not opened its own, and perhaps never may. */
export const noConversation: Conversation = { add: () => {}, note: () => {}, end: (_, written) => written() }

export interface Opened {
  readonly conversation: Conversation
  readonly recalled: Recalled
  /** The run before, when it was cut off: what it had not written is missing. */
  readonly interrupted: string | null
}

export interface OpenOptions {
  readonly threadId: string
  readonly runId: string
  /** The id was made up for this run. Nobody else knows it, so nothing has to be read, and nothing is waited for. */
  readonly isNew: boolean
  /** Told once, when something could not be written. */
  warn(message: string): void
}

/**
 * The conversations below one home. They are written here and not by the agent thread that runs the lead: that thread may
 * die, and what it still had to write must not come behind the first lines of the next run. Between runs nothing is kept
 * in memory: a log is read when it goes on. Nothing waits for the disk itself: what was written outlives the process, and
 * that a machine loses power is not what this is for.
 */
export interface Conversations {
  /** `null` while another run has it, in this process or another. Rejects with why the log cannot be used. */
  open(options: OpenOptions): Promise<Opened | null>
}

/** Bytes that a summary must stand for before the log is worth rewriting. */
const REWRITE_MIN = 256 * 1024

/** How the line of a transcript that was compacted begins. See `ThreadEntry`. */
const SUMMARY = '{"summary"'

const worthIt = async (file: string, text: string): Promise<boolean> => {
  const summary = text.lastIndexOf(`\n${SUMMARY}`)
  if (summary < 0 && !text.startsWith(SUMMARY)) return false
  return (await stat(file)).size - (text.length - summary) >= REWRITE_MIN
}

const writerOf = (file: string, { isNew, runId, warn }: OpenOptions): Writer =>
  createWriter({
    file,
    isNew,
    onFault: (why) => warn(`The conversation in ${file} cannot be written: ${messageOf(why)}`),
    // A log that cannot be rewritten is as good as it was: the next summary is the next occasion.
    afterWrite: async (text) => (await worthIt(file, text)) && (await rewriteLog(file, runId).catch(() => false)),
  })

export const openConversations = (home: string, clock: Pick<Clock, 'now'>): Conversations => {
  const conversationOf = (file: string, { runId }: OpenOptions, writer: Writer): Conversation => ({
    add: (entry) => writer.add(`${entry}\n`),
    note: (row) => writer.add(lineOf<'row'>({ row })),
    end(status, written) {
      void writer.close(lineOf<'end'>({ end: runId, status, at: clock.now() })).then(() => {
        letGo(file)
        written()
      })
    },
  })

  const begin = async (file: string, options: OpenOptions): Promise<Opened> => {
    const owner = await ownOwner()
    const writer = writerOf(file, options)
    writer.add(firstText({ run: options.runId, after: null, owner, at: clock.now() }))
    return { conversation: conversationOf(file, options, writer), recalled: NOTHING_RECALLED, interrupted: null }
  }

  const goOn = async (file: string, options: OpenOptions): Promise<Opened | null> => {
    const claimed = await claim(file, options.runId, clock.now())
    if (!claimed) return null
    if (claimed.interrupted !== null) await removeHalfWritten(file)
    return { ...claimed, conversation: conversationOf(file, options, writerOf(file, options)) }
  }

  return {
    async open(options) {
      const file = logFile(home, options.threadId)
      // Before anything is waited for: of two runs of this thread the first has it.
      if (!hold(file, options.runId)) return null
      try {
        const opened = options.isNew ? await begin(file, options) : await goOn(file, options)
        if (!opened) letGo(file)
        return opened
      } catch (error) {
        letGo(file)
        throw unusable(file, error)
      }
    },
  }
}
