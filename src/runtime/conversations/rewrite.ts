import { rename, rm } from 'node:fs/promises'
import { openBeside, writeAll } from './file.ts'
import { createHistory } from './history.ts'
import { readThread, type ThreadLog } from './read.ts'
import { LOG_VERSION, lineOf, type Records } from './record.ts'

/** Where a log is put together that will take the place of another. Only the run that has the conversation does so. */
const besideOf = (file: string): string => `${file}.new`

/** What a run that was killed amid a rewrite has left. */
export const removeHalfWritten = (file: string): Promise<void> => rm(besideOf(file), { force: true })

const headOf = (log: ThreadLog, claim: Records['run']): string => {
  const { begunAt, runCount, summarized, firstPrompt, ledger } = log
  // The run that rewrites has its own line.
  const kept = { runs: runCount - 1, messages: summarized, first_prompt: firstPrompt, ledger }
  const header: Records['troupe'] = { troupe: 'conversation', version: LOG_VERSION, at: begunAt ?? claim.at }
  return `${lineOf<'troupe'>(header)}${lineOf<'kept'>({ kept })}\n${lineOf<'run'>(claim)}`
}

const writeBeside = async (beside: string, head: string, history: Uint8Array): Promise<void> => {
  const handle = await openBeside(beside)
  try {
    await writeAll(handle, Buffer.from(head), () => {})
    await writeAll(handle, Buffer.from(history.buffer, history.byteOffset, history.byteLength), () => {})
    // Once, since all that there is stands in it: a machine that loses power must not find an empty file in its place.
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Leaves out of a log what a summary stands for. Whoever reads meanwhile, and whoever comes after a kill, finds the old
 * log or the new one, whole. Resolves with whether it was replaced.
 */
export const rewriteLog = async (file: string, run: string): Promise<boolean> => {
  const { log, history } = await readThread(file, createHistory)
  if (log.last?.run !== run) return false
  await removeHalfWritten(file)
  await writeBeside(besideOf(file), headOf(log, log.last), history)
  await rename(besideOf(file), file)
  return true
}
