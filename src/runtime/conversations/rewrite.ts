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

/** The run that rewrites may have said its last word already. */
const tailOf = ({ ended }: ThreadLog): string => (ended ? lineOf<'end'>(ended) : '')

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
 * log or the new one, whole. Resolves with whether it was replaced.
 */
export const rewriteLog = async (file: string, run: string): Promise<boolean> => {
  const { log, history } = await readThread(file, createHistory)
  if (log.last?.run !== run) return false
  const parts = [headOf(log, log.last), history, tailOf(log)]
  await inTurn(() => writeBeside(besideOf(file), parts))
  await rename(besideOf(file), file)
  return true
}
