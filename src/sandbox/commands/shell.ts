import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { codeOf } from '../../contract/errors.ts'
import { refusal } from '../refusal.ts'

/**
 * The shell waits for a line before it becomes the command: until then nothing runs that somebody would have to know of,
 * and when the other end goes, so does it. Not on stdin, where bash takes a socket for a remote login and reads the
 * user's start-up files.
 */
const GATE = `
IFS= read -r _ <&3 || exit 125
exec "$0" -c -- "$1" bash 3<&- 8<&- 9<&-
`

/**
 * What Node hands to a child as a pipe is a socket, and Linux opens no socket by its name: `> /dev/stderr` would fail. So
 * there the shell makes real pipes itself, those of two small documents, and their other ends are opened from here.
 */
const PIPES = `
exec 8<<_ 9<<_

_

_
read -r _ <&8
read -r _ <&9
exec >/proc/self/fd/8 2>/proc/self/fd/9
echo >&3
`

export interface ShellOrder {
  readonly shell: string
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A shell that waits. It leads a group and a session of its own, so it has no terminal; its stdin is empty. */
export interface Shell {
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Lets the command start. */
  open(): void
  /** Keeps it from starting; one that runs is not touched. */
  shut(): void
  onExit(call: (code: number | null, signal: NodeJS.Signals | null) => void): void
}

const spawnShell = (script: string, { shell, command, cwd, env }: ShellOrder, stdio: StdioOptions): ChildProcess =>
  spawn('/bin/sh', ['-c', script, shell, command], { cwd, env, detached: true, stdio })

const shellOf = (child: ChildProcess, gate: Duplex, stdout: Readable, stderr: Readable): Shell => {
  for (const pipe of [gate, stdout, stderr]) pipe.on('error', () => {})
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    open: () => void gate.end('\n', () => gate.destroy()),
    shut: () => void gate.destroy(),
    onExit: (call) => void child.once('exit', call),
  }
}

const openPipe = (pid: number, descriptor: number): Socket => {
  const fd = openSync(`/proc/${pid}/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false })
  closeSync(fd)
  throw refusal('NO_PIPE', 'this shell keeps documents in files')
}

/** Why a machine has no pipes for us, now and later: an old bash as `sh`, a `/proc` that is not there or closed. */
const NEVER = new Set<string | undefined>(['NO_PIPE', 'ENOENT', 'EACCES', 'EPERM'])

/** `null`: the machine does not allow it. */
const startWithPipes = (order: ShellOrder): Promise<Shell | null> =>
  new Promise((resolve, reject) => {
    const child = spawnShell(PIPES + GATE, order, ['ignore', 'ignore', 'ignore', 'pipe'])
    child.once('error', reject)
    child.once('exit', () => resolve(null))
    const gate = child.stdio[3] as Duplex | null | undefined
    const { pid } = child
    if (!gate || pid === undefined) return
    gate.on('error', () => {})
    gate.once('data', () => {
      let stdout: Socket | undefined
      try {
        stdout = openPipe(pid, 8)
        resolve(shellOf(child, gate, stdout, openPipe(pid, 9)))
      } catch (thrown) {
        gate.destroy()
        stdout?.destroy()
        if (NEVER.has(codeOf(thrown))) resolve(null)
        else reject(thrown)
      }
    })
  })

const startWithSockets = (order: ShellOrder): Promise<Shell> =>
  new Promise((resolve, reject) => {
    const child = spawnShell(GATE, order, ['ignore', 'pipe', 'pipe', 'pipe'])
    child.once('error', reject)
    const [, stdout, stderr, gate] = child.stdio as (Duplex | null | undefined)[]
    // Without descriptors left there are none, and the error follows.
    if (stdout && stderr && gate && child.pid !== undefined) resolve(shellOf(child, gate, stdout, stderr))
  })

let hasPipes = process.platform === 'linux'

/** Starts a shell that waits. Rejects when it could not be started. */
export const startShell = async (order: ShellOrder): Promise<Shell> => {
  const shell = hasPipes ? await startWithPipes(order) : null
  if (shell) return shell
  hasPipes = false
  return startWithSockets(order)
}
