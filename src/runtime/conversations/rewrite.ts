import { rename, rm } from 'node:fs/promises'
import { openBeside, writeAll } from './file.ts'
import { createHistory } from './history.ts'
import { inTurn } from './in-turn.ts'
import { readThread, type ThreadLog } from './read.ts'
import { firstText, lineOf, type Records } from './record.ts'

/** Where a log is put together that will take the place of another. Only the run that has the conversation does so. */
const besideOf = (file: string): string => `${file}.new`

/** What a run that was killed amid a rewrite has left. */
export const removeHalfWritten = (file: string): Promise<void> => rm(besideOf(file), { force: true })

const headOf = (log: ThreadLog, claim: Records['run']): string => {
  const { begunAt, runCount, summarized, firstPrompt, ledger } = log
  // The run that rewrites has its own line.
  const kept = { runs: runCount - 1, messages: summarized, first_prompt: firstPrompt, ledger }
  return firstText(claim, begunAt ?? claim.at) + lineOf<'kept'>({ kept })
}

const writeBeside = async (beside: string, parts: readonly (string | Uint8Array)[]): Promise<void> => {
  await rm(beside, { force: true })
  const handle = await openBeside(beside)
  try {
    for (const part of parts) await writeAll(handle, typeof part === 'string' ? Buffer.from(part) : part, () => {})
    // Once, since all that there is stands in it: a machine that loses power must not find an empty file in its place.
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Leaves out of a log what a summary stands for. Whoever reads meanwhile, and whoever comes after a kill, finds the old
 * log or the new one, whole. Only for a run that has not said that it ended: from then on the log is another's, whose claim
 * this would take from under it. The writer keeps that order: a run's end is written once its rewrites are done. Resolves
 * with whether it was replaced.
 */
export const rewriteLog = async (file: string, run: string): Promise<boolean> => {
  const { log, history } = await readThread(file, createHistory)
  if (log.last?.run !== run || log.ended !== null) return false
  const parts = [headOf(log, log.last), history]
  await inTurn(() => writeBeside(besideOf(file), parts))
  await rename(besideOf(file), file)
  return true
}
