import type { ToolCall } from '../contract/messages.ts'

export interface DelegationLimits {
  /** Subagents of a run that work at once. */
  readonly maxConcurrent: number
  /** Delegations that one run may start. */
  readonly maxTotal: number
  /** Whether calls beyond `maxConcurrent` leave the response or wait for a place. Left out: they leave. */
  readonly overflow?: 'trim' | 'queue'
}

export interface Trimmed {
  /** The calls that stay in the message, in their order. */
  readonly kept: readonly ToolCall[]
  readonly dropped: number
  /** Which limit dropped them; `total` also where both did, since there is nothing left to ask for later. */
  readonly because: 'concurrent' | 'total' | null
}

/**
 * Which `task` calls of one response may proceed. `refused` says whether a call fails at once (wrong arguments, unknown
 * type): such a call stays to be answered with its error and takes no place. Waiting helps no call beyond the total,
 * so that one leaves either way. Source: decision 5.
 */
export const trimDelegations = (
  calls: readonly ToolCall[],
  started: number,
  limits: DelegationLimits,
  refused: (call: ToolCall) => boolean,
): Trimmed => {
  const left = Math.max(0, limits.maxTotal - started)
  const atOnce = limits.overflow === 'queue' ? left : limits.maxConcurrent
  const allowed = Math.min(atOnce, left)
  let taken = 0
  let dropped = 0
  const kept = calls.filter((call) => {
    if (call.name !== 'task' || refused(call)) return true
    if (taken < allowed) {
      taken++
      return true
    }
    dropped++
    return false
  })
  if (dropped === 0) return { kept: calls, dropped, because: null }
  return { kept, dropped, because: left <= atOnce ? 'total' : 'concurrent' }
}

/** What the model is told, after the results of the calls that ran. */
export const trimNote = ({ dropped, because }: Trimmed, limits: DelegationLimits): string => {
  const calls = dropped === 1 ? '1 task call' : `${dropped} task calls`
  if (because === 'total') {
    return `[SUBAGENT LIMIT REACHED] ${calls} of your last response did not run: this run may start ${limits.maxTotal} subagents in all, and they are used up. Work with the results you have, do what is simple yourself, or say what is left undone.`
  }
  return `[SUBAGENT LIMIT] ${calls} of your last response did not run: at most ${limits.maxConcurrent} subagents run at once. Delegate what is still needed in your next response.`
}
