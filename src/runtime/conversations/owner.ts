import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import { isHeldHere } from './held.ts'

/** Who has a conversation: a runtime on one thread of one process. */
export interface Owner {
  readonly pid: number
  /** When that process began, in the words of its system: tells it from a later one with the same id. */
  readonly start: string
  /** Number of the thread in the process. */
  readonly thread: number
}

const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()

/**
 * Fields of /proc/<pid>/stat behind the name, which may itself hold blanks and brackets. Source: proc_pid_stat(5); the
 * first is field 3.
 */
const statOf = async (pid: number): Promise<readonly string[]> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const startOnLinux = async (pid: number): Promise<string | null> => {
  const fields = await statOf(pid)
  const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]]
  // Its parent has not taken note yet that it ended. With threads left, one of them may still write.
  if ((state === 'Z' || state === 'X') && threads <= 1) return null
  return `${await bootId()} ${ticks}`
}

const startElsewhere = async (pid: number): Promise<string | null> => {
  const env = { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env })
  const [, state = '', start = ''] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(stdout) ?? []
  return state.startsWith('Z') ? null : start
}

/** When a process began; `null` when it is gone, or no more than a zombie. */
const startOf = process.platform === 'linux' ? startOnLinux : startElsewhere

/** Where the system does not tell, a process is known by its id alone. */
const UNKNOWN = ''

let self: Promise<Owner> | undefined

export const ownOwner = (): Promise<Owner> => {
  self ??= startOf(process.pid)
    .catch(() => null)
    .then((start) => ({ pid: process.pid, start: start ?? UNKNOWN, thread: threadId }))
  return self
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether the run that has a conversation may still write to it. What cannot be found out counts as alive: two writers
 * are worse than a refusal. A process of another machine or container that shares the folder is not seen.
 */
export const isAlive = async (owner: Owner, run: string): Promise<boolean> => {
  const own = await ownOwner()
  if (owner.pid === own.pid && owner.start === own.start && owner.thread === own.thread) return isHeldHere(run)
  if (!exists(owner.pid)) return false
  if (owner.start === UNKNOWN) return true
  try {
    return (await startOf(owner.pid)) === owner.start
  } catch {
    return exists(owner.pid)
  }
}
