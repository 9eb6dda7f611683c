import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

type Report = (pid: number, bytes: number) => void

const RESIDENT = 1

const residentPages = (pid: number | 'self'): number =>
  Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[RESIDENT])

let pageBytes: number | undefined

/** Not 4096 everywhere, and Node has no call for it: the two ways to read our own size give it, to a power of two. */
const bytesPerPage = (): number => {
  pageBytes ??= 2 ** Math.round(Math.log2(process.memoryUsage.rss() / residentPages('self')))
  return pageBytes
}

const readProc = (pids: readonly number[], report: Report): void => {
  for (const pid of pids) {
    try {
      report(pid, residentPages(pid) * bytesPerPage())
    } catch {
      // It has just ended.
    }
  }
}

const readPs = (pids: readonly number[], report: Report): void => {
  execFile('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], (_, stdout) => {
    for (const line of stdout.split('\n')) {
      const [pid, kilobytes] = line.trim().split(/\s+/).map(Number)
      if (pid && kilobytes) report(pid, kilobytes * 1024)
    }
  })
}

// Reading /proc costs 20 µs; `ps` is a process of its own.
const [read, EVERY_MS] = process.platform === 'linux' ? ([readProc, 50] as const) : ([readPs, 250] as const)

export interface MemoryWatch {
  add(pid: number): void
  remove(pid: number): void
}

/** Looks at the resident size of the processes that run a call. Without any there is no timer. */
export const watchMemory = (limitBytes: number, onOver: (pid: number) => void): MemoryWatch => {
  const pids = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => read([...pids], (pid, bytes) => void (bytes > limitBytes && pids.has(pid) && onOver(pid)))
  return {
    add: (pid) => {
      pids.add(pid)
      timer ??= setInterval(look, EVERY_MS).unref()
    },
    remove: (pid) => {
      pids.delete(pid)
      if (pids.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
