import { HEARTBEAT_MS } from '../contract/limits.ts'
import type { Control } from '../control/control.ts'
import type { Clock } from './clock.ts'

export interface HeartbeatOptions {
  readonly control: Control
  readonly clock: Clock
  readonly wedgedMs: number
  /** Threads that hold agents, and so must beat. */
  busy(): readonly number[]
  onWedged(thread: number): void
  /** A thread that was quiet beats again. */
  onBack(): void
}

/** Watches that threads with agents keep beating. */
export interface Heartbeats {
  start(): void
  stop(): void
  /** An agent of this thread did not end itself when it was asked to: the thread counts as quiet until it beats again. */
  suspect(thread: number): void
  /** Whether a thread has missed a beat. It gets no new agents until it beats again. */
  isQuiet(thread: number): boolean
}

/** One beat may fall between two looks. */
const QUIET_MS = HEARTBEAT_MS * 2

export const createHeartbeats = ({ control, clock, wedgedMs, ...on }: HeartbeatOptions): Heartbeats => {
  const seen = new Map<number, { beats: number; silentMs: number }>()
  let stop: (() => void) | undefined
  let wanted = false
  let lookedAt = 0

  const isQuiet = (thread: number): boolean => (seen.get(thread)?.silentMs ?? 0) > QUIET_MS

  /** A thread without agents need not beat, so nothing is held against it. */
  const forget = (thread: number): void => {
    const wasQuiet = isQuiet(thread)
    seen.delete(thread)
    if (wasQuiet) on.onBack()
  }

  const rest = (): void => {
    stop?.()
    stop = undefined
    for (const thread of [...seen.keys()]) forget(thread)
  }

  const look = (): void => {
    // A late look says that this thread was busy, not that theirs were: it counts as one interval.
    const passed = Math.min(clock.now() - lookedAt, HEARTBEAT_MS)
    lookedAt = clock.now()
    const busy = on.busy()
    for (const thread of [...seen.keys()]) if (!busy.includes(thread)) forget(thread)
    for (const thread of busy) check(thread, passed)
    if (!wanted && on.busy().length === 0) rest()
  }

  const check = (thread: number, passed: number): void => {
    const beats = control.beats(thread)
    const last = seen.get(thread)
    if (last?.beats !== beats) {
      seen.set(thread, { beats, silentMs: 0 })
      if (last && last.silentMs > QUIET_MS) on.onBack()
      return
    }
    last.silentMs += passed
    if (last.silentMs < wedgedMs) return
    seen.delete(thread)
    on.onWedged(thread)
  }

  return {
    start() {
      wanted = true
      if (stop) return
      lookedAt = clock.now()
      stop = clock.every(HEARTBEAT_MS, look)
    },
    stop() {
      wanted = false
      // A thread that still holds ended agents may be blocked by one of them, and must not get the next run.
      if (on.busy().length === 0) rest()
    },
    suspect(thread) {
      const silentMs = Math.max(seen.get(thread)?.silentMs ?? 0, QUIET_MS + 1)
      if (stop) seen.set(thread, { beats: control.beats(thread), silentMs })
    },
    isQuiet,
  }
}
