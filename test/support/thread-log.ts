import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Conversations, type Opened, openConversations } from '../../src/runtime/conversations/conversations.ts'

/** Conversations below a folder, and their logs as files. */
export interface Logs {
  readonly conversations: Conversations
  readonly warnings: string[]
  file(threadId?: string): string
  read(threadId?: string): string
  write(text: string, threadId?: string): void
  /** Opens for a run; `null`: it is busy. */
  open(runId: string, threadId?: string, isNew?: boolean): Promise<Opened | null>
}

export const logsIn = (home: string): Logs => {
  const conversations = openConversations(home, { now: () => 1000 })
  const warnings: string[] = []
  const file = (threadId = 't'): string => join(home, 'threads', threadId, 'thread.jsonl')
  return {
    conversations,
    warnings,
    file,
    read: (threadId) => readFileSync(file(threadId), 'utf8'),
    write(text, threadId) {
      mkdirSync(dirname(file(threadId)), { recursive: true })
      writeFileSync(file(threadId), text)
    },
    open: (runId, threadId = 't', isNew = false) =>
      conversations.open({ threadId, runId, isNew, warn: (message) => void warnings.push(message) }),
  }
}

export const historyOf = ({ recalled: { history } }: Opened): string =>
  Buffer.from(history.buffer, history.byteOffset, history.byteLength).toString()

export const ended = ({ conversation }: Opened): Promise<void> =>
  new Promise((written) => conversation.end('completed', written))
