import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import { codeOf } from '../../contract/errors.ts'
import { isHeldHere } from './held.ts'

/** Who has a conversation: a runtime on one thread of one process. */
export interface Owner {
  readonly pid: number
  /** When that process began, in the words of its system: tells it from a later one with the same id. */
  readonly start: string
  /** Number of the thread in the process. */
  readonly thread: number
  /** The same thread as its system knows it, with its own beginning: a worker may end long before its process. */
  readonly task?: string
}

const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()

/** Place of the time at which it began. */
const STARTED = 19

/**
 * Fields of /proc/<pid>/stat behind the name, which may itself hold blanks and brackets. Source: proc_pid_stat(5); the
 * first is field 3.
 */
const fieldsOf = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

const statOf = async (place: number | string): Promise<readonly string[]> =>
  fieldsOf(await readFile(`/proc/${place}/stat`, 'utf8'))

const startOnLinux = async (pid: number): Promise<string | null> => {
  const fields = await statOf(pid)
  const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[STARTED]]
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

const taskText = (id: string, stat: readonly string[]): string => `${id} ${stat[STARTED]}`

/** This thread. Not read with a promise: that is done on another. Elsewhere than on Linux nobody tells. */
const ownTask = (): string | null => {
  try {
    const stat = readFileSync('/proc/thread-self/stat', 'utf8')
    return taskText(stat.slice(0, stat.indexOf(' ')), fieldsOf(stat))
  } catch {
    return null
  }
}

/**
 * Whether a thread of a process that is there is gone. Nothing it began is written any more then: a worker waits for its
 * writes before it ends, also when it is terminated.
 */
const hasEnded = async ({ pid, task }: Owner): Promise<boolean> => {
  if (task === undefined) return false
  const id = task.slice(0, task.indexOf(' '))
  try {
    return taskText(id, await statOf(`${pid}/task/${id}`)) !== task
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH'
  }
}

/** Where the system does not tell, a process is known by its id alone. */
const UNKNOWN = ''

let self: Promise<Owner> | undefined

export const ownOwner = (): Promise<Owner> => {
  if (self) return self
  const task = ownTask()
  self = startOf(process.pid)
    .catch(() => null)
    .then((start) => ({ pid: process.pid, start: start ?? UNKNOWN, thread: threadId, ...(task !== null && { task }) }))
  return self
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
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
    return (await startOf(owner.pid)) === owner.start && !(await hasEnded(owner))
  } catch {
    return exists(owner.pid)
  }
}
