import { after } from '../../contract/after.ts'
import { createCapture } from './capture.ts'
import type { CommandOwner, OwnedGroup } from './owner.ts'
import { type Shell, type ShellOrder, startShell } from './shell.ts'

/** How long after the end of its shell a command may still have words on their way; what it left behind may hold the pipes for ever. */
const DRAIN_MS = 100
/** A process in an uninterruptible wait of the kernel must not hang the call that gave it up. */
const STUCK_MS = 10_000

export interface CommandOrder extends ShellOrder {
  readonly timeoutMs: number
}

export interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  /** `null` when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** Whether the command itself ever ran. */
  readonly started: boolean
}

/** Reads what the command prints; on after its end, since what runs in the background must not die of a pipe that nobody reads. */
const listen = ({ stdout, stderr, shut }: Shell, owner: CommandOwner) => {
  const [out, err] = [createCapture(), createCapture()]
  let open = true
  let closed = 0
  let whenClosed = (): void => {}
  stdout.on('data', (chunk: Buffer) => open && out.feed(chunk))
  stderr.on('data', (chunk: Buffer) => open && err.feed(chunk))
  const close = (): void => {
    shut()
    stdout.destroy()
    stderr.destroy()
  }
  const forget = owner.atEnd(close)
  for (const pipe of [stdout, stderr]) {
    pipe.once('close', () => {
      if (++closed < 2) return
      forget()
      whenClosed()
    })
  }
  return {
    /** Calls once, when all that was written before is here. */
    drained(call: () => void): void {
      // Behind the next poll: a thread that was busy all the while has not read anything yet.
      const cancel = after(DRAIN_MS, () => setImmediate(call))
      whenClosed = () => {
        cancel()
        call()
      }
      if (closed === 2) whenClosed()
    },
    take: () => {
      open = false
      return { stdout: out.end(), stderr: err.end() }
    },
  }
}

/**
 * Runs one command in a process group of its own, from the moment its owner knows of it until its shell ends: what it
 * left in the background does not hold the call. Rejects when no shell could be started.
 */
export const runCommand = async (
  order: CommandOrder,
  owner: CommandOwner,
  signal: AbortSignal,
): Promise<CommandEnd> => {
  const shell = await startShell(order)
  const streams = listen(shell, owner)
  return new Promise((resolve) => {
    let started = false
    let timedOut = false
    let over = false
    let group: OwnedGroup | undefined
    let cancelTimer = (): void => {}

    const finish = (code: number | null, killedBy: NodeJS.Signals | null): void => {
      if (over) return
      over = true
      cancelTimer()
      signal.removeEventListener('abort', stop)
      resolve({ ...streams.take(), code, signal: killedBy, timedOut, started })
    }
    const stop = (): void => {
      shell.shut()
      group?.stop()
      cancelTimer()
      cancelTimer = after(STUCK_MS, () => finish(null, null))
    }
    const start = (): void => {
      if (signal.aborted) return
      started = true
      shell.open()
      cancelTimer = after(order.timeoutMs, () => {
        timedOut = true
        stop()
      })
    }
    shell.onExit((code, killedBy) => {
      group?.led()
      streams.drained(() => finish(code, killedBy))
    })
    signal.addEventListener('abort', stop, { once: true })
    group = owner.own(shell.pid, start)
    if (signal.aborted) stop()
  })
}
