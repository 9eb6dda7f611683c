import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Frame, ToolReply, ToolRequest } from '../../contract/tool-frames.ts'
import { encodeFrame, frameReader } from '../../contract/tool-frames.ts'
import type { Ending } from './endings.ts'
import type { ProcessGroups } from './groups.ts'
import { killGroup } from './groups.ts'
import { keepTail } from './tail.ts'

const REPLY_MAX = 16 * 1024 * 1024
/** How long after its exit a process may still have words in its pipes; a child it left behind may hold them for ever. */
const DRAIN_MS = 100
const OUT_OF_MEMORY = /out of memory|Fatal JavaScript invalid size error/

export interface ToolProcess {
  readonly pid: number
  send(request: ToolRequest, body?: string): void
  /** Keeps the host alive until `release`. */
  hold(): void
  release(): void
  /** Kills it with its group, and holds the host until it is gone. */
  kill(): void
  /** The end of what it printed since the last time. */
  printed(): string
  /** Settles when it has ended and no handle of it is left. */
  readonly gone: Promise<void>
}

export interface ToolProcessOptions {
  readonly script: string
  readonly memoryMb: number
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly groups: ProcessGroups
  readonly onReply: (reply: ToolReply, body: string) => void
  readonly onEnd: (ending: Ending) => void
}

const spawnChild = ({ script, memoryMb, env, cwd }: ToolProcessOptions): ChildProcess =>
  spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, script], {
    cwd,
    env,
    // Leads a group of its own, so that what its tools start dies with it, and its tools cannot signal the host's group.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })

const openPipes = (child: ChildProcess) => {
  const [, out, err, line] = child.stdio as (Socket | null | undefined)[]
  // So it is when the host has no descriptors left.
  if (!out || !err || !line) throw new Error('could not start its process')
  const pipes = [out, err, line]
  for (const pipe of pipes) pipe.unref()
  return { line, stdout: keepTail(out), stderr: keepTail(err, OUT_OF_MEMORY), pipes }
}

const listen = (line: Socket, onReply: ToolProcessOptions['onReply'], onBroken: () => void): void => {
  const read = frameReader<ToolReply>(REPLY_MAX)
  let broken = false
  const framesIn = (chunk: Buffer): readonly Frame<ToolReply>[] => {
    try {
      return broken ? [] : read(chunk)
    } catch {
      broken = true
      onBroken()
      return []
    }
  }
  line.on('data', (chunk: Buffer) => {
    for (const { header, body } of framesIn(chunk)) onReply(header, body)
  })
  line.on('error', () => {})
}

/** Starts one warm child with a line of frames on descriptor 3. By itself it does not keep the host alive. */
export const startToolProcess = (options: ToolProcessOptions): ToolProcess => {
  const { groups, onReply, onEnd } = options
  const child = spawnChild(options)
  let fault: string | null = null
  let exited = false
  let killed = false
  let settled = false
  let resolveGone = (): void => {}
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve
  })
  child.on('error', () => {})

  const { line, stdout, stderr, pipes } = openPipes(child)
  const pid = child.pid ?? 0
  if (pid) groups.watch(pid)

  let drain: NodeJS.Timeout | undefined
  const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (settled) return
    settled = true
    clearTimeout(drain)
    for (const pipe of pipes) pipe.destroy()
    resolveGone()
    onEnd({ code, signal, outOfMemory: stderr.matched(), fault, stderr: stderr.text() })
  }
  const kill = (): void => {
    // Whoever awaits its end must not fall off the end of the event loop.
    killed = true
    child.ref()
    // Once it is reaped, its number may be somebody else's.
    if (!exited && pid) killGroup(pid)
  }
  const lose = (why: string): void => {
    fault ??= why
    kill()
  }

  child.once('error', (error) => {
    fault = `could not start its process (${error.message})`
    if (!pid) settle(null, null)
  })
  child.once('exit', (code, signal) => {
    exited = true
    clearTimeout(drain)
    // What its tools started and left behind.
    killGroup(pid)
    groups.forget(pid)
    drain = setTimeout(settle, DRAIN_MS, code, signal)
  })
  child.once('close', settle)
  listen(line, onReply, () => lose('broke the line between its process and the host'))
  // It closes when the process ends, and soon after comes the exit; a process that lives on has closed it itself.
  line.once('close', () => {
    if (!exited) drain = setTimeout(lose, DRAIN_MS, 'closed the line between its process and the host')
  })
  child.unref()

  return {
    pid,
    send: (request, body) => void (line.writable && line.write(encodeFrame(request, body))),
    hold: () => child.ref(),
    release: () => void (killed || child.unref()),
    kill,
    printed: () => [stdout.take(), stderr.take()].filter((text) => text !== '').join('\n'),
    gone,
  }
}
