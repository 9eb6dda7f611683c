import type { LedgerRow } from '../../contract/conversation.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import type { Owner } from './owner.ts'
import { type Check, count, like, listOf, number, oneOf, orAbsent, orNull, text } from './shape.ts'

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

const pid: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0
const task: Check = (value) => typeof value === 'string' && /^\d+ \d+$/.test(value)
const ENDS = { completed: true, failed: true, cancelled: true, timed_out: true } as const

const row = like<LedgerRow>({
  id: text,
  run_id: text,
  description: text,
  subagent_type: text,
  status: oneOf<LedgerRow['status']>({ ...ENDS, in_progress: true, polling_timed_out: true }),
  stop_reason: orNull(text),
  result_brief: orNull(text),
  partial_brief: orNull(text),
  result_sha256: orNull(text),
  result_ref: text,
  created_at: text,
})

const SHAPES: { readonly [K in keyof Records]: Check } = {
  troupe: like<Records['troupe']>({ troupe: (value) => value === 'conversation', version: count, at: number }),
  run: like<Records['run']>({
    run: text,
    after: orNull(text),
    // A number that is no process of its own, such as 0, would count as one that is always there.
    owner: like<Owner>({ pid, start: text, thread: count, task: orAbsent(task) }),
    at: number,
  }),
  end: like<Records['end']>({ end: text, status: oneOf<TerminalStatus>({ ...ENDS, needs_input: true }), at: number }),
  row: like<Records['row']>({ row }),
  kept: like<Records['kept']>({
    kept: like<Kept>({ runs: count, messages: count, first_prompt: orNull(text), ledger: listOf(row) }),
  }),
}

const isRecord = <K extends keyof Records>(kind: K, value: unknown): value is Records[K] => SHAPES[kind](value)

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
