import { codeOf } from '../contract/errors.ts'
import type { Clock } from './clock.ts'
import { killGroup } from './tool-processes/groups.ts'

const LOOK_MS = 25
/** A process in an uninterruptible wait of the kernel, or one that nobody reaps, must not be waited for. */
const GIVE_UP_MS = 1000

export const isGroupAlive = (pid: number): boolean => {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    // EPERM: there is somebody, with more rights than we have.
    return codeOf(error) !== 'ESRCH'
  }
}

const askGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // Nobody is left in it.
  }
}

/** Ends process groups: first they are asked to, and after the grace time killed. */
export interface GroupEnder {
  end(pid: number): void
  /** Resolves once all are gone. */
  idle(): Promise<void>
}

export interface GroupEnderOptions {
  readonly clock: Clock
  readonly graceMs: number
  onGone(pid: number): void
}

export const createGroupEnder = ({ clock, graceMs, onGone }: GroupEnderOptions): GroupEnder => {
  /** When each is killed. */
  const ending = new Map<number, number>()
  const killed = new Set<number>()
  let waiting: (() => void)[] = []
  let stopLooking: (() => void) | null = null

  const drop = (pid: number): void => {
    ending.delete(pid)
    killed.delete(pid)
    onGone(pid)
  }

  const press = (pid: number, killAt: number, now: number): void => {
    if (!isGroupAlive(pid) || now >= killAt + GIVE_UP_MS) drop(pid)
    else if (now >= killAt && !killed.has(pid)) {
      killed.add(pid)
      killGroup(pid)
    }
  }

  const look = (): void => {
    const now = clock.now()
    for (const [pid, killAt] of ending) press(pid, killAt, now)
    if (ending.size > 0) return
    stopLooking?.()
    stopLooking = null
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    end(pid) {
      if (ending.has(pid)) return
      ending.set(pid, clock.now() + graceMs)
      askGroup(pid)
      stopLooking ??= clock.every(LOOK_MS, look)
    },
    idle: () => (ending.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
