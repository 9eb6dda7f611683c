import type { LedgerRow } from '../../contract/conversation.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import type { Owner } from './owner.ts'
import { isRecord } from './shape.ts'

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

/** A line that is no JSON, of another kind or of a wrong shape is `null`: a disk or a hand may have damaged it. */
export const parseRecord = <K extends keyof Records>(line: Buffer, kind: K): Records[K] | null => {
  if (kindOf(line) !== kind) return null
  try {
    const record: unknown = JSON.parse(line.toString())
    return isRecord(kind, record) ? record : null
  } catch {
    return null
  }
}

const [SUMMARY_START, SUMMARY_END] = [Buffer.from('{"summary":"'), Buffer.from(']}')]

/** Whether a summary may take the place of what stands above it. It is long, so this looks no further than at its ends. */
export const isWholeSummary = (line: Buffer): boolean =>
  line.subarray(0, SUMMARY_START.length).equals(SUMMARY_START) && line.subarray(-SUMMARY_END.length).equals(SUMMARY_END)

export const lineOf = <K extends keyof Records>(record: Records[K]): string => `${JSON.stringify(record)}\n`

/**
 * A claim begins with an empty line: if the writer before it was killed amid a record, that record is then the one line
 * that stands directly above a claim.
 */
export const claimText = (claim: Records['run']): string => `\n${lineOf<'run'>(claim)}`

/** How a log begins. */
export const firstText = (claim: Records['run'], at = claim.at): string =>
  lineOf<'troupe'>({ troupe: 'conversation', version: LOG_VERSION, at }) + claimText(claim)
