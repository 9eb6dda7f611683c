import { stat } from 'node:fs/promises'
import type { LedgerRow } from '../../contract/conversation.ts'
import type { Message } from '../../contract/messages.ts'
import { interruptRow } from '../../policy/ledger.ts'
import { restoreTranscript } from '../../policy/restore-transcript.ts'
import { THREAD_ID } from '../run-options.ts'
import { codeOf, logFile, unusable } from './file.ts'
import { createHistory } from './history.ts'
import { infoOf, type ThreadInfo } from './list.ts'
import { type LoggedRun, readThread } from './read.ts'

/** One conversation, as its next run would go on from it. */
export interface ThreadView extends ThreadInfo {
  readonly file: string
  /** Runs of which the log still tells; a log that was rewritten has forgotten the first ones. */
  readonly run_list: readonly LoggedRun[]
  /** What stands for the messages that are no longer there. */
  readonly summary: string | null
  readonly transcript: readonly Message[]
  readonly delegations: readonly LedgerRow[]
}

/** Reads one conversation; `null` when there is none. Throws a `TroupeError` that names the file it cannot read. */
export const showThread = async (home: string, threadId: string): Promise<ThreadView | null> => {
  // Never a path: nothing outside this home is read.
  if (!THREAD_ID.test(threadId)) return null
  const file = logFile(home, threadId)
  try {
    const { mtimeMs } = await stat(file)
    const { log, history } = await readThread(file, createHistory)
    const info = await infoOf(threadId, log, Math.trunc(mtimeMs))
    const delegations = info.state === 'busy' ? log.ledger : log.ledger.map(interruptRow)
    const text = Buffer.from(history.buffer, history.byteOffset, history.byteLength).toString()
    const { messages: transcript, summary } = restoreTranscript(text, delegations)
    return { ...info, file, run_list: log.runs, summary, transcript, delegations }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw unusable(file, error)
  }
}
