import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { after } from '../../contract/after.ts'
import { createCapture } from './capture.ts'
import type { CommandOwner, OwnedGroup } from './owner.ts'
import { type ShellOrder, spawnGated } from './shell.ts'

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

interface Pipes {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly gate: Writable
}

const pipesOf = ({ stdio }: ChildProcess): Pipes | null => {
  const [, stdout, stderr, gate] = stdio as (Readable | Writable | null | undefined)[]
  // So it is when there are no descriptors left; an error follows.
  return stdout && stderr && gate
    ? { stdout: stdout as Readable, stderr: stderr as Readable, gate: gate as Writable }
    : null
}

const listen = ({ stdout, stderr, gate }: Pipes) => {
  const [out, err] = [createCapture(), createCapture()]
  let open = true
  // Read on after the end: what runs in the background must not die of a pipe that nobody reads.
  stdout.on('data', (chunk: Buffer) => open && out.feed(chunk))
  stderr.on('data', (chunk: Buffer) => open && err.feed(chunk))
  for (const pipe of [stdout, stderr, gate]) pipe.on('error', () => {})
  return {
    take: () => {
      open = false
      return { stdout: out.end(), stderr: err.end() }
    },
    close: () => {
      for (const pipe of [stdout, stderr, gate]) pipe.destroy()
    },
  }
}

/** Calls once the streams have closed, or have had the time to bring what was written before the end. */
const whenDrained = (child: ChildProcess, call: () => void): void => {
  // Behind the next poll: a thread that was busy all the while has not read anything yet.
  const cancel = after(DRAIN_MS, () => setImmediate(call))
  child.once('close', () => {
    cancel()
    call()
  })
}

/**
 * Runs one command in a process group of its own, from the moment its owner knows of it until its shell ends: what it
 * left in the background does not hold the call. Rejects when no shell could be started.
 */
export const runCommand = (order: CommandOrder, owner: CommandOwner, signal: AbortSignal): Promise<CommandEnd> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawnGated(order)
    child.once('error', reject)
    const pipes = pipesOf(child)
    if (!pipes || child.pid === undefined) return
    const streams = listen(pipes)
    const forget = owner.atEnd(streams.close)
    child.once('close', forget)

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
      pipes.gate.destroy()
      group?.stop()
      cancelTimer()
      cancelTimer = after(STUCK_MS, () => finish(null, null))
    }
    const start = (): void => {
      if (signal.aborted) return
      started = true
      pipes.gate.end('\n', () => pipes.gate.destroy())
      cancelTimer = after(order.timeoutMs, () => {
        timedOut = true
        stop()
      })
    }
    child.once('exit', (code, killedBy) => {
      group?.led()
      whenDrained(child, () => finish(code, killedBy))
    })
    signal.addEventListener('abort', stop, { once: true })
    group = owner.own(child.pid, start)
  })
