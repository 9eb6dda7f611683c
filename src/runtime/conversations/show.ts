import { stat } from 'node:fs/promises'
import type { LedgerRow } from '../../contract/conversation.ts'
import { codeOf } from '../../contract/errors.ts'
import type { MessageView } from '../../contract/events.ts'
import type { Message } from '../../contract/messages.ts'
import { interruptRow } from '../../policy/ledger.ts'
import { restoreTranscript } from '../../policy/restore-transcript.ts'
import { THREAD_ID } from '../run-options.ts'
import { logFile, unusable } from './file.ts'
import { createHistory } from './history.ts'
import { infoOf, type ThreadInfo } from './list.ts'
import { type LoggedRun, readThread } from './read.ts'

/** A message as events have it, but whole, and the prompts as well. */
export type TranscriptView = MessageView | { readonly type: 'human'; readonly content: string }

/** One conversation, as its next run would go on from it. */
export interface ThreadView extends ThreadInfo {
  readonly file: string
  /** Runs of which the log still tells; a log that was rewritten has forgotten the first ones. */
  readonly run_list: readonly LoggedRun[]
  /** What stands for the messages that are no longer there. */
  readonly summary: string | null
  readonly transcript: readonly TranscriptView[]
  readonly delegations: readonly LedgerRow[]
}

const viewOf = (message: Message): TranscriptView => {
  const { content } = message
  if (message.role === 'user') return { type: 'human', content }
  if (message.role === 'tool') {
    const { id, toolCallId: tool_call_id, name, status } = message
    return { id, type: 'tool', content, tool_call_id, name, status }
  }
  const tool_calls = message.toolCalls.map(({ id, name, args }) => ({ id, name, args }))
  return { id: message.id, type: 'ai', content, ...(tool_calls.length > 0 && { tool_calls }) }
}

const read = async (file: string, threadId: string): Promise<ThreadView> => {
  const { mtimeMs } = await stat(file)
  const { log, history } = await readThread(file, createHistory)
  const info = await infoOf(threadId, log, Math.trunc(mtimeMs))
  // Of a run that is under way nothing is known to be lost yet.
  const isBusy = info.state === 'busy'
  const delegations = isBusy ? log.ledger : log.ledger.map(interruptRow)
  const text = Buffer.from(history.buffer, history.byteOffset, history.byteLength).toString()
  const { messages, madeUp, summary } = restoreTranscript(text, delegations)
  const shown = isBusy ? messages.filter((message) => !madeUp.some((each) => each === message)) : messages
  return { ...info, file, run_list: log.runs, summary, transcript: shown.map(viewOf), delegations }
}

/** Reads one conversation; `null` when there is none. Throws a `TroupeError` that names the file it cannot read. */
export const showThread = async (home: string, threadId: string): Promise<ThreadView | null> => {
  // Never a path: nothing outside this home is read.
  if (!THREAD_ID.test(threadId)) return null
  const file = logFile(home, threadId)
  try {
    return await read(file, threadId)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw unusable(file, error)
  }
}
