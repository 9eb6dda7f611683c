import type { ModelSettings } from '../contract/settings.ts'
import type { Clock } from './clock.ts'
import { type Fault, lasting, passing } from './failure.ts'

type Limits = Pick<ModelSettings, 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'streamIdleTimeoutMs' | 'timeoutMs'>

/** How long one request may keep its caller waiting. One timer for all four limits, set anew only when it goes off. */
export interface Watch {
  readonly limits: Limits
  readonly clock: Clock
  /** Asked only when the connection would be late. */
  readonly isConnecting: () => boolean
  readonly late: (fault: Fault) => void
  startedAt: number
  /** When the answer last came on; 0: it has not begun. */
  aliveAt: number
  cancel: () => void
}

/** A timer may go off this much before its time by the finer clock. */
const EARLY_MS = 1

/** Not by a spread of options: V8 takes a hundred times as long for one whose fields change as for a literal. */
export const startWatch = (
  limits: Limits,
  clock: Clock,
  isConnecting: () => boolean,
  late: (fault: Fault) => void,
): Watch => {
  const startedAt = clock.now()
  const watch: Watch = { limits, clock, isConnecting, late, startedAt, aliveAt: 0, cancel: nothing }
  arm(watch, startedAt)
  return watch
}

const nothing = (): void => {}

/** Something came that brings the answer on. */
export const noteLife = (watch: Watch): void => {
  watch.aliveAt = watch.clock.now()
}

export const stopWatch = ({ cancel }: Watch): void => cancel()

const arm = (watch: Watch, now: number): void => {
  watch.cancel = watch.clock.after(Math.max(EARLY_MS, nextDue(watch, now) - now), () => {
    const later = watch.clock.now()
    const fault = faultAt(watch, later + EARLY_MS)
    if (fault === null) arm(watch, later)
    else watch.late(fault)
  })
}

/** The next moment at which the answer can be late. It may begin right now, and then stall: life does not set the timer. */
const nextDue = ({ limits, startedAt, aliveAt, isConnecting }: Watch, now: number): number => {
  const end = Math.min(startedAt + limits.timeoutMs, (aliveAt || now) + limits.streamIdleTimeoutMs)
  if (aliveAt > 0) return end
  const first = Math.min(end, startedAt + limits.firstByteTimeoutMs)
  return isConnecting() ? Math.min(first, startedAt + limits.connectTimeoutMs) : first
}

const faultAt = ({ limits, startedAt, aliveAt, isConnecting }: Watch, now: number): Fault | null => {
  const { connectTimeoutMs, firstByteTimeoutMs, streamIdleTimeoutMs, timeoutMs } = limits
  const spent = now - startedAt
  if (spent >= timeoutMs) return lasting(`the answer took longer than ${seconds(timeoutMs)} (timeout_seconds)`)
  if (aliveAt > 0) {
    return now - aliveAt < streamIdleTimeoutMs
      ? null
      : passing(`nothing came for ${seconds(streamIdleTimeoutMs)} (stream_idle_timeout_seconds)`)
  }
  if (spent >= connectTimeoutMs && isConnecting())
    return passing(`no connection within ${seconds(connectTimeoutMs)} (connect_timeout_seconds; see base_url)`)
  return spent < firstByteTimeoutMs
    ? null
    : passing(`no answer began within ${seconds(firstByteTimeoutMs)} (first_byte_timeout_seconds)`)
}

const seconds = (ms: number): string => `${ms / 1000} s`
