import type { Log } from '../../contract/api.ts'
import { messageOf } from '../../contract/errors.ts'
import type { Reaper } from './reaper.ts'
import { startReaper } from './reaper.ts'

/** Process groups that must not outlive this process, however it ends. A group has the id of the process that leads it. */
export interface ProcessGroups {
  watch(pid: number): void
  forget(pid: number): void
  /** Kills what has one of these in its environment, wherever it is by now. */
  hunt(marks: readonly string[]): void
  /** Waits for the reaper to go. */
  close(): Promise<void>
}

export const killGroup = (pid: number): void => {
  // 0 would be our own group, and 1 everybody.
  if (pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}

/** With a mark in their environment, processes that left their group are found too. */
export const createProcessGroups = (log: Log, mark = ''): ProcessGroups => {
  const pids = new Set<number>()
  let reaper: Reaper | undefined
  // An ordinary end, or one by an uncaught exception; the reaper is for SIGKILL.
  const sweep = (): void => pids.forEach(killGroup)

  const tellReaper = (pid: number): void => {
    const isNew = !reaper?.alive
    try {
      if (isNew) reaper = startReaper(log, mark)
      for (const each of isNew ? pids : [pid]) reaper?.watch(each)
    } catch (thrown) {
      log('warn', 'the reaper of tool processes did not start', { why: messageOf(thrown) })
    }
  }

  return {
    watch: (pid) => {
      if (pids.size === 0) process.on('exit', sweep)
      pids.add(pid)
      tellReaper(pid)
    },
    forget: (pid) => {
      if (!pids.delete(pid)) return
      reaper?.forget(pid)
      if (pids.size === 0) process.off('exit', sweep)
    },
    hunt: (marks) => reaper?.hunt(marks),
    close: async () => {
      process.off('exit', sweep)
      await reaper?.close()
    },
  }
}
