import type { LedgerRow } from '../../contract/conversation.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import type { Owner } from './owner.ts'

/** The form of the log that this version writes. One that is newer is not touched. */
export const LOG_VERSION = 1

/** What a rewritten log says of the lines that are no longer there. */
export interface Kept {
  readonly runs: number
  readonly messages: number
  readonly first_prompt: string | null
  readonly ledger: readonly LedgerRow[]
}

/**
 * The lines of a log that the host writes for itself, one kind a member. Beside them stand the `ThreadEntry` lines of the
 * lead, which the host never parses.
 */
export interface Records {
  /** The first line. */
  readonly troupe: { readonly troupe: 'conversation'; readonly version: number; readonly at: number }
  /** A run that takes the conversation over from the one that had it last. */
  readonly run: { readonly run: string; readonly after: string | null; readonly owner: Owner; readonly at: number }
  readonly end: { readonly end: string; readonly status: TerminalStatus; readonly at: number }
  readonly row: { readonly row: LedgerRow }
  readonly kept: { readonly kept: Kept }
}

export type LineKind = keyof Records | 'message' | 'summary'

const KINDS: readonly LineKind[] = ['message', 'row', 'run', 'end', 'summary', 'kept', 'troupe']
const STARTS = KINDS.map((kind) => ({ kind, start: Buffer.from(`{"${kind}":`) }))

/** What a line is, by how it starts: each is written with the key that names it in front. */
export const kindOf = (line: Buffer): LineKind | null =>
  STARTS.find(({ start }) => line.subarray(0, start.length).equals(start))?.kind ?? null

/** A line that is no JSON, or of another kind, is `null`: a disk may have damaged it. */
export const parseRecord = <K extends keyof Records>(line: Buffer, kind: K): Records[K] | null => {
  try {
    return kindOf(line) === kind ? JSON.parse(line.toString()) : null
  } catch {
    return null
  }
}

export const lineOf = <K extends keyof Records>(record: Records[K]): string => `${JSON.stringify(record)}\n`

/**
 * A claim begins with an empty line: if the writer before it was killed amid a record, that record is then the one line
 * that stands directly above a claim.
 */
export const claimText = (claim: Records['run']): string => `\n${lineOf<'run'>(claim)}`

/** How a log begins. */
export const firstText = (claim: Records['run'], at = claim.at): string =>
  lineOf<'troupe'>({ troupe: 'conversation', version: LOG_VERSION, at }) + claimText(claim)
