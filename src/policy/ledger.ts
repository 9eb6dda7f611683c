import type { LedgerRow } from '../contract/conversation.ts'
import type { TaskOutcome } from '../contract/envelopes.ts'
import { BRIEF_MAX, DURABLE_TEXT_MAX } from '../contract/limits.ts'
import { bound, isBlank } from './bound.ts'
import { failureText } from './delegation-result.ts'
import { escapeTags } from './escape.ts'

/** Rows kept of one conversation. */
const ROWS_MAX = 50
/** Characters of a brief where it is rendered. */
const SHOWN_MAX = 120

/** A delegation as it begins. */
export const openRow = (
  facts: Pick<LedgerRow, 'id' | 'run_id' | 'description' | 'subagent_type' | 'created_at'>,
): LedgerRow => ({
  status: 'in_progress',
  stop_reason: null,
  result_brief: null,
  partial_brief: null,
  result_sha256: null,
  result_ref: facts.id,
  ...facts,
})

const bounded = (text: string): string | null => (isBlank(text) ? null : bound(text.trim(), BRIEF_MAX))

/** The same delegation, ended. `sha256` hashes what has no hash yet. */
export const closeRow = (row: LedgerRow, outcome: TaskOutcome, sha256: (text: string) => string): LedgerRow => {
  const { status, stopReason } = outcome
  const brief = bounded(status === 'completed' ? outcome.result : failureText(outcome))
  return {
    ...row,
    status,
    stop_reason: stopReason,
    result_brief: brief,
    partial_brief: status === 'completed' ? null : bounded(outcome.partialText),
    result_sha256: brief === null ? null : outcome.resultSha256 || sha256(brief),
  }
}

/** A delegation of a run that is over without a word of how it ended: whoever ran it was killed. */
export const interruptRow = (row: LedgerRow): LedgerRow =>
  row.status === 'in_progress' ? { ...row, status: 'failed', result_brief: CUT_OFF } : row

const CUT_OFF = 'Interrupted: the process that ran it ended before it did'

const isSame = (a: LedgerRow, b: LedgerRow): boolean => a.id === b.id && a.run_id === b.run_id

/**
 * Rows with one more fact, in the order in which the delegations were first seen. An end is never taken back; an id that
 * a later run uses again is another delegation. Source: contract/runtime §9.
 */
export const mergeRow = (rows: readonly LedgerRow[], row: LedgerRow): readonly LedgerRow[] => {
  const at = rows.findIndex((known) => isSame(known, row))
  const known = rows[at]
  if (!known) return [...rows, row].slice(-ROWS_MAX)
  if (known.status !== 'in_progress' && row.status === 'in_progress') return rows
  return rows.with(at, { ...row, created_at: known.created_at })
}

const RETRY = 'an earlier attempt: it may be tried again, with another plan'

const guidance = ({ status, stop_reason }: LedgerRow): string => {
  if (status === 'in_progress') return 'already delegated: do not delegate it again, wait for it or build on it'
  if (stop_reason !== null && status === 'completed')
    return 'partial result, stopped by a guardrail cap: use it, ask for less, or raise the budget of the agent'
  if (stop_reason !== null)
    return 'stopped by a guardrail cap with no usable result: ask for less, or raise the budget of the agent'
  return status === 'completed' ? 'done: use the result, do not delegate it again' : RETRY
}

const flat = (text: string): string => escapeTags(text.replace(/\s+/g, ' ').trim())

const lineOf = (row: LedgerRow): string => {
  const brief = row.result_brief === null ? '' : ` -> ${flat(bound(row.result_brief.trim(), SHOWN_MAX))}`
  return `- [${row.status}] ${flat(row.description)} (via ${flat(row.subagent_type)}; ${guidance(row)})${brief}`
}

const HEAD = ['## Work already delegated', 'Earlier in this conversation, newest first.']

const omission = (count: number): string => `- ${count} older ${count === 1 ? 'entry is' : 'entries are'} left out`

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, -1)

/** The rows as the lead reads them, newest first, never more than `max` characters; `''` where there are none. */
export const renderLedger = (rows: readonly LedgerRow[], max = DURABLE_TEXT_MAX): string => {
  if (rows.length === 0) return ''
  const all = rows.toReversed().map(lineOf)
  const tooMany = all.findIndex((_, index) => lengthOf([...HEAD, ...all.slice(0, index + 1)]) > max)
  for (let count = tooMany < 0 ? all.length : tooMany; count >= 0; count--) {
    const left = all.length - count
    const lines = [...HEAD, ...all.slice(0, count), ...(left > 0 ? [omission(left)] : [])]
    if (lengthOf(lines) <= max) return lines.join('\n')
  }
  return ''
}
