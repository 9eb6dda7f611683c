import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { setTimeout as nextTurn } from 'node:timers/promises'
import type { Log } from '../../contract/api.ts'

/**
 * Holds a list of process groups and kills them when its input ends, which a SIGKILL of the host cannot prevent. A shell
 * (1.7 MB, no CPU while it waits) for the whole host: a loop that blocks a tool process would block any watch inside it,
 * except a thread, at 7.5 MB for each process.
 */
const SCRIPT = `
trap '' HUP INT TERM
hunt() {
  for round in 1 2 3; do
    found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
    [ -n "$found" ] || break
    for environ in $found; do
      pid=\${environ#/proc/}
      kill -s KILL "\${pid%/environ}"
    done
  done
}
pids=' '
while IFS= read -r line; do
  case $line in
    +*) pids="$pids\${line#+} " ;;
    -*) pids="\${pids%% \${line#-} *} \${pids#* \${line#-} }" ;;
    =*) hunt "$(printf '%s\\n' \${line#=})" ;;
  esac
done
for pid in $pids; do kill -s KILL -- "-$pid"; done
[ -z "$1" ] || hunt "$1"
`

export interface Reaper {
  readonly alive: boolean
  watch(pid: number): void
  forget(pid: number): void
  /**
   * Kills every process that has one of these in its environment, also one that has left its group for a session of its
   * own. Only Linux shows what is in an environment.
   */
  hunt(marks: readonly string[]): void
  close(): Promise<void>
}

// A group of its own: what kills the host's group must not kill it.
const spawnShell = (mark: string): ChildProcess =>
  spawn('/bin/sh', ['-c', SCRIPT, 'reaper', mark], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })

/**
 * Without a shell there is none, and then a tool that blocks its process outlives a host that is killed. In the end it
 * hunts for `mark`, if there is one.
 */
export const startReaper = (log: Log, mark: string): Reaper => {
  const shell = spawnShell(mark)
  // A pipe to a child is a socket; its type does not say so.
  const input = shell.stdin as (ChildProcess['stdin'] & { unref(): void }) | null
  let alive = true
  let closing = false
  const ended = new Promise<void>((resolve) => {
    const end = (why: string): void => {
      if (alive && !closing) log('warn', 'the reaper of tool processes has ended', { why })
      alive = false
      resolve()
    }
    shell.once('exit', (code, signal) => end(`${signal ?? code}`))
    shell.once('error', (error) => end(error.message))
  })
  input?.on('error', () => {})
  input?.unref()
  shell.unref()
  const write = (line: string): void => void (alive && input?.write(line))
  return {
    get alive() {
      return alive
    },
    watch: (pid) => write(`+${pid}\n`),
    forget: (pid) => write(`-${pid}\n`),
    hunt: (marks) => write(`=${marks.join(' ')}\n`),
    close: async () => {
      if (!alive) return
      closing = true
      shell.ref()
      input?.end()
      await ended
      // The handle of a process is closed one turn of the loop after its exit is told.
      await nextTurn()
    },
  }
}
