import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where `/bin` holds no bash, `PATH` may. */
const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The bash of this machine, or the plain shell where there is none. */
export const findShell = (searchPath = ''): string => {
  const folders = [...FOLDERS, ...searchPath.split(delimiter).filter((folder) => folder.startsWith('/'))]
  return folders.map((folder) => join(folder, 'bash')).find(canRun) ?? '/bin/sh'
}

/**
 * Waits for a line before it becomes the command: until then nothing runs that somebody would have to know of, and when
 * the other end goes, so does it. Not on stdin, which is a socket here: bash takes that for a remote login and reads
 * the user's start-up files.
 */
const GATE = 'IFS= read -r _ <&3 || exit 125; exec "$0" -c -- "$1" bash 3<&-'

export interface ShellOrder {
  readonly shell: string
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a shell in a group and a session of its own, so without a terminal; stdin is empty. It waits for `open`. */
export const spawnGated = ({ shell, command, cwd, env }: ShellOrder): ChildProcess =>
  spawn('/bin/sh', ['-c', GATE, shell, command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
