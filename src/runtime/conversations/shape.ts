import type { LedgerRow } from '../../contract/conversation.ts'
import type { TerminalStatus } from '../../contract/status.ts'
import type { Owner } from './owner.ts'
import type { Kept, Records } from './record.ts'

/** What a member of a record may be. */
type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number'
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const pid: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0
const task: Check = (value) => typeof value === 'string' && /^\d+ \d+$/.test(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** A check for each member: the compiler asks for one wherever a record gets another. */
const like =
  <T extends object>(checks: { readonly [K in keyof Required<T>]: Check }): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([key, check]) => check((value as Readonly<Record<string, unknown>>)[key]))

const oneOf =
  <T extends string>(values: Readonly<Record<T, true>>): Check =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(values, value)

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

export const isRecord = <K extends keyof Records>(kind: K, value: unknown): value is Records[K] => SHAPES[kind](value)
