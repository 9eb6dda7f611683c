import type { ErrorCode } from '../contract/errors.ts'
import type { TerminalStatus } from '../contract/status.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, needsInput: 3, cancelled: 130 } as const

const OF_STATUS: Readonly<Record<TerminalStatus, number>> = {
  completed: EXIT.ok,
  failed: EXIT.failed,
  timed_out: EXIT.failed,
  needs_input: EXIT.needsInput,
  cancelled: EXIT.cancelled,
}

export const exitOfStatus = (status: TerminalStatus): number => OF_STATUS[status]

const USER_CODES: ReadonlySet<ErrorCode> = new Set(['CONFIG_INVALID', 'ENV_UNSET', 'OPTIONS_INVALID'])

/** For what was thrown before a run began: whether the user or Troupe is at fault. */
export const exitOfCode = (code: ErrorCode): number => (USER_CODES.has(code) ? EXIT.usage : EXIT.failed)
