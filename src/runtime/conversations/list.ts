import { readdir, stat } from 'node:fs/promises'
import { codeOf, type ErrorData, messageOf } from '../../contract/errors.ts'
import { isBusy } from './claim.ts'
import { logFile, threadsFolder } from './file.ts'
import { noHistory } from './history.ts'
import { readThread, type ThreadLog } from './read.ts'

/** One conversation as a list shows it. */
export interface ThreadInfo {
  readonly thread_id: string
  /** `interrupted`: its last run was cut off. `unreadable`: `error` says why. */
  readonly state: 'idle' | 'busy' | 'interrupted' | 'unreadable'
  /** Milliseconds since the epoch. */
  readonly last_used_at: number
  readonly runs: number
  readonly messages: number
  readonly first_prompt: string | null
  readonly error: string | null
}

const stateOf = async (log: ThreadLog): Promise<ThreadInfo['state']> => {
  if (log.last === null || log.ended !== null) return 'idle'
  return (await isBusy(log)) ? 'busy' : 'interrupted'
}

export const infoOf = async (threadId: string, log: ThreadLog, lastUsedAt: number): Promise<ThreadInfo> => ({
  thread_id: threadId,
  state: await stateOf(log),
  last_used_at: lastUsedAt,
  runs: log.runCount,
  messages: log.messageCount,
  first_prompt: log.firstPrompt,
  error: null,
})

const unreadable = (threadId: string, lastUsedAt: number, error: ErrorData['message']): ThreadInfo => ({
  thread_id: threadId,
  state: 'unreadable',
  last_used_at: lastUsedAt,
  runs: 0,
  messages: 0,
  first_prompt: null,
  error,
})

const read = async (home: string, threadId: string): Promise<readonly ThreadInfo[]> => {
  const file = logFile(home, threadId)
  // A folder without a log holds files of a run that is about to write its first word.
  const lastUsedAt = await stat(file).then(
    ({ mtimeMs }) => Math.trunc(mtimeMs),
    () => null,
  )
  if (lastUsedAt === null) return []
  try {
    const { log } = await readThread(file, () => noHistory)
    return [await infoOf(threadId, log, lastUsedAt)]
  } catch (error) {
    return [unreadable(threadId, lastUsedAt, messageOf(error))]
  }
}

/** Names of the threads below a home, whether or not they hold a conversation. */
const threadIds = async (home: string): Promise<readonly string[]> => {
  try {
    return await readdir(threadsFolder(home))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** The conversations below a home, the one used last first. Reads also those that a run has, without disturbing it. */
export const listThreads = async (home: string): Promise<readonly ThreadInfo[]> => {
  const found = await Promise.all((await threadIds(home)).map((threadId) => read(home, threadId)))
  return found.flat().sort((a, b) => b.last_used_at - a.last_used_at || (a.thread_id < b.thread_id ? -1 : 1))
}
