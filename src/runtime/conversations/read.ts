import { constants } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import type { LedgerRow } from '../../contract/conversation.ts'
import { TroupeError } from '../../contract/errors.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import { mergeRow } from '../../policy/ledger.ts'
import { entryOf } from '../../policy/thread-entry.ts'
import { openToRead } from './file.ts'
import type { History } from './history.ts'
import { inTurn } from './in-turn.ts'
import { readLines } from './lines.ts'
import { isWholeSummary, kindOf, type LineKind, LOG_VERSION, parseRecord, type Records } from './record.ts'

/** A run as its conversation tells of it; `status` is `null` as long as it has not ended. */
export interface LoggedRun {
  readonly id: string
  readonly at: number
  readonly status: TerminalStatus | null
}

/** What a log comes to. */
export interface ThreadLog {
  readonly size: number
  /** When it was begun, as its first line says. One that has none is as good as empty. */
  begunAt: number | null
  /** The claim of the run that had the conversation last. */
  last: Records['run'] | null
  /** The run before that one, if it was cut off. */
  interrupted: string | null
  /** How the last run ended, if it has. */
  ended: Records['end'] | null
  /** The runs of which a line is left. */
  runs: LoggedRun[]
  /** How many there were in all. */
  runCount: number
  messageCount: number
  /** Those that a summary stands for. */
  summarized: number
  firstPrompt: string | null
  ledger: readonly LedgerRow[]
}

const emptyLog = (size: number): ThreadLog => ({
  size,
  begunAt: null,
  last: null,
  interrupted: null,
  ended: null,
  runs: [],
  runCount: 0,
  messageCount: 0,
  summarized: 0,
  firstPrompt: null,
  ledger: [],
})

const foreign = (file: string): TroupeError =>
  new TroupeError('INTERNAL', `${file} is not a conversation of Troupe; move it away, or use another thread id`)

const newer = (file: string, version: unknown): TroupeError =>
  new TroupeError(
    'INTERNAL',
    `The conversation in ${file} was written by a newer Troupe (form ${version}, this one knows ${LOG_VERSION}); update Troupe, or use another thread id`,
  )

/** Bytes of a log. What goes on is read as one text, and a text is no longer. */
const SIZE_MAX = constants.MAX_STRING_LENGTH

const tooBig = (file: string, size: number): TroupeError => {
  const [is, may] = [size, SIZE_MAX].map((bytes) => Math.ceil(bytes / 2 ** 20))
  return new TroupeError(
    'INTERNAL',
    `The conversation in ${file} is ${is} MiB, and no more than ${may} MiB can be read; move it away, or use another thread id`,
  )
}

const begin = (log: ThreadLog, line: Buffer, file: string): void => {
  const header = parseRecord(line, 'troupe')
  if (!header) throw foreign(file)
  if (header.version > LOG_VERSION) throw newer(file, header.version)
  log.begunAt = header.at
}

/** Of two runs that take a conversation over from the same one, the first in the log has it: the other is as if it were not there. */
const noteRun = (log: ThreadLog, claim: Records['run'] | null): void => {
  if (!claim || (log.last !== null && claim.after !== log.last.run)) return
  log.interrupted = log.ended === null ? (log.last?.run ?? null) : null
  log.last = claim
  log.ended = null
  log.runs.push({ id: claim.run, at: claim.at, status: null })
  log.runCount++
}

const noteEnd = (log: ThreadLog, end: Records['end'] | null): void => {
  if (!end || end.end !== log.last?.run) return
  log.ended = end
  const run = log.runs.pop()
  if (run) log.runs.push({ ...run, status: end.status })
}

const noteRow = (log: ThreadLog, record: Records['row'] | null): void => {
  if (record) log.ledger = mergeRow(log.ledger, record.row)
}

const noteKept = (log: ThreadLog, record: Records['kept'] | null): void => {
  if (!record) return
  const { runs, messages, first_prompt: firstPrompt, ledger } = record.kept
  log.runCount += runs
  log.messageCount += messages
  log.firstPrompt = firstPrompt
  log.ledger = ledger
}

const PROMPT = Buffer.from('{"message":{"role":"user"')

/** Only the first prompt is parsed: the other messages are the affair of whoever goes on from them. */
const promptOf = (line: Buffer): string | null => {
  if (!line.subarray(0, PROMPT.length).equals(PROMPT)) return null
  const entry = entryOf(line.toString())
  return entry && 'message' in entry ? entry.message.content : null
}

const noteEntry = (log: ThreadLog, line: Buffer, kind: LineKind | null): void => {
  if (kind === 'summary' && isWholeSummary(line)) log.summarized = log.messageCount
  if (kind !== 'message') return
  log.messageCount++
  log.firstPrompt ??= promptOf(line)
}

const take = (log: ThreadLog, line: Buffer, history: History): void => {
  const kind = kindOf(line)
  if (kind === 'run') noteRun(log, parseRecord(line, kind))
  else if (kind === 'end') noteEnd(log, parseRecord(line, kind))
  else if (kind === 'row') noteRow(log, parseRecord(line, kind))
  else if (kind === 'kept') noteKept(log, parseRecord(line, kind))
  else if (kind !== 'troupe') {
    noteEntry(log, line, kind)
    if (kind === 'summary' && isWholeSummary(line)) history.clear()
    history.add(line)
  }
}

/**
 * Reads a log from its start to `size`. Throws a `TroupeError` that names the file when it is of a newer version, or no
 * log at all. A damaged line costs itself alone.
 */
const readLog = async (handle: FileHandle, file: string, size: number, history: History): Promise<ThreadLog> => {
  const log = emptyLog(size)
  for await (const lines of readLines(handle, size)) {
    for (const line of lines) {
      if (log.begunAt !== null) take(log, line, history)
      else begin(log, line, file)
    }
  }
  return log
}

interface Read {
  readonly log: ThreadLog
  readonly history: Uint8Array
}

/** A log and the history in it. One that is not there is empty. */
export const readThread = (file: string, historyOf: (size: number) => History): Promise<Read> =>
  inTurn(() => readNow(file, historyOf))

const readNow = async (file: string, historyOf: (size: number) => History): Promise<Read> => {
  const handle = await openToRead(file)
  if (!handle) return { log: emptyLog(0), history: new Uint8Array() }
  try {
    const { size } = await handle.stat()
    if (size > SIZE_MAX) throw tooBig(file, size)
    const history = historyOf(size)
    return { log: await readLog(handle, file, size, history), history: history.bytes() }
  } finally {
    await handle.close()
  }
}
