import type { Recalled } from '../../contract/conversation.ts'
import { interruptRow } from '../../policy/ledger.ts'
import { openOrMake, writeAll } from './file.ts'
import { createHistory, noHistory } from './history.ts'
import { inTurn } from './in-turn.ts'
import { isAlive, ownOwner } from './owner.ts'
import { readThread, type ThreadLog } from './read.ts'
import { claimText, firstText, type Records } from './record.ts'

// The log is its own lock. A run takes a conversation over by a claim that names the run that had it last; of two such
// claims the first in the log has it, whoever wrote it and however late the other looks. Nothing is ever taken away, so
// there is no moment in which a lock that was thought stale is removed from under its new owner. Only a rewrite puts
// another file in the place of the log: the run that has it does so, and only then says that it ended, so that nobody's
// claim is lost with the old one. Sound because a file that is open for appending takes each write whole and behind all
// others: that holds on a local disk, not on NFS.

export interface Claimed {
  readonly recalled: Recalled
  /** The run before, if it was cut off. */
  readonly interrupted: string | null
}

/** Whether the run that took the conversation last may still write to it. */
export const isBusy = async ({ last, ended }: ThreadLog): Promise<boolean> =>
  last !== null && ended === null && (await isAlive(last.owner, last.run))

const append = async (file: string, text: string): Promise<void> => {
  const handle = await openOrMake(file)
  try {
    await writeAll(handle, Buffer.from(text), () => {})
  } finally {
    await handle.close()
  }
}

const textOf = (claim: Records['run'], { begunAt }: ThreadLog): string =>
  // Behind an empty line as well: another may just have begun the log, and its claim is no half line. Or it was killed
  // amid its first line, which then stands above another.
  begunAt === null ? `\n${firstText(claim)}` : claimText(claim)

/** Takes the conversation in `file` for a run; `null` while another run has it. */
export const claim = async (file: string, run: string, at: number): Promise<Claimed | null> => {
  const owner = await ownOwner()
  for (;;) {
    const { log } = await readThread(file, () => noHistory)
    if (await isBusy(log)) return null
    await inTurn(() => append(file, textOf({ run, after: log.last?.run ?? null, owner, at }, log)))
    // By its path once more. Another may have been quicker, and perhaps has rewritten the log; and only now is it certain
    // that the run before writes no more: it may have done so until the moment in which it was found to be gone.
    const { log: now, history } = await readThread(file, createHistory)
    if (now.last?.run !== run) continue
    return { recalled: { history, ledger: now.ledger.map(interruptRow) }, interrupted: now.interrupted }
  }
}
