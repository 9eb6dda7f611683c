import type { Message } from './messages.ts'
import type { StopReason, TerminalStatus } from './status.ts'

/** One delegation of a conversation. Written from what the host knows for a fact, whatever became of the lead. */
export interface LedgerRow {
  /** The `task` call's id. */
  readonly id: string
  readonly run_id: string
  readonly description: string
  readonly subagent_type: string
  /** The last one is read, never written. */
  readonly status: 'in_progress' | Exclude<TerminalStatus, 'needs_input'> | 'polling_timed_out'
  readonly stop_reason: StopReason | null
  /** What came of it, or why nothing did, bounded. */
  readonly result_brief: string | null
  /** What was left of work that did not complete, bounded. */
  readonly partial_brief: string | null
  readonly result_sha256: string | null
  /** Where the whole result stands: the id of the tool message's call. */
  readonly result_ref: string
  /** UTC, as in `2026-01-31T12:00:00.000Z`. */
  readonly created_at: string
}

/**
 * One line of what is kept of a conversation, as JSON whose first key stands in front. Lines are only ever added: a
 * message, or what stands for all that came before once a transcript was compacted.
 */
export type ThreadEntry =
  | { readonly message: Message }
  | { readonly summary: string; readonly messages: readonly Message[] }

/** What earlier runs have left to the lead of a run. */
export interface Recalled {
  /** Entries, one a line, as UTF-8. The host hands them on unread, in shared memory. */
  readonly history: Uint8Array
  readonly ledger: readonly LedgerRow[]
}

export const NOTHING_RECALLED: Recalled = Object.freeze({ history: new Uint8Array(), ledger: [] })
