import { isRecord } from '../contract/is-record.ts'
import type { JsonSchema, ToolSpec } from '../contract/tools.ts'

export type CheckedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  /** `message`: what is wrong with them. */
  | { readonly ok: false; readonly message: string }

/** No value of its type; what JSON cannot hold stands for it. */
const WRONG = Symbol('wrong')

const toNumber = (value: unknown): unknown => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : WRONG
}

const toInteger = (value: unknown): unknown => {
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? number : WRONG
}

const toBoolean = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value
  if (value === 'true') return true
  return value === 'false' ? false : WRONG
}

interface Wanted {
  readonly words: string
  read(value: unknown): unknown
}

const SCALARS: Readonly<Record<string, Wanted>> = {
  // Never decoded: a text that looks like JSON is still the text.
  string: { words: 'string', read: (value) => (typeof value === 'string' ? value : WRONG) },
  integer: { words: 'integer', read: toInteger },
  number: { words: 'number', read: toNumber },
  boolean: { words: 'boolean', read: toBoolean },
  array: { words: 'array', read: (value) => (Array.isArray(value) ? value : WRONG) },
  object: { words: 'object', read: (value) => (isRecord(value) ? value : WRONG) },
}

const STRINGS: Wanted = {
  words: 'array of strings',
  read: (value) => (Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : WRONG),
}

/** `null` for a schema that says more than this file checks, such as one of several types. */
const wantedBy = (schema: unknown): Wanted | null => {
  if (!isRecord(schema)) return null
  const { type, items } = schema as { type?: unknown; items?: unknown }
  if (type === 'array' && isRecord(items) && (items as { type?: unknown }).type === 'string') return STRINGS
  return typeof type === 'string' && Object.hasOwn(SCALARS, type) ? (SCALARS[type] ?? null) : null
}

interface Check {
  readonly key: string
  readonly wanted: Wanted | null
  readonly required: boolean
}

const readSchema = (schema: JsonSchema): readonly Check[] => {
  const { properties, required } = schema as { properties?: unknown; required?: unknown }
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const entries = Object.entries(isRecord(properties) ? properties : {})
  return entries.map(([key, property]) => ({ key, wanted: wantedBy(property), required: names.includes(key) }))
}

const read = new WeakMap<JsonSchema, readonly Check[]>()

const checksOf = (schema: JsonSchema): readonly Check[] => {
  const known = read.get(schema)
  if (known !== undefined) return known
  const checks = readSchema(schema)
  read.set(schema, checks)
  return checks
}

/** The value as its schema wants it, `undefined` for an optional one that was left out. */
const readOne = ({ wanted, required }: Check, value: unknown): unknown => {
  if (value === undefined) return required ? WRONG : undefined
  if (value === null && !required) return undefined
  return wanted === null ? value : wanted.read(value)
}

/**
 * Checks what a model sent against the schema it was shown, as far as the top level goes: required keys and plain types.
 * Numbers and booleans may come as text, null on an optional key means that it was left out, unknown keys pass.
 */
export const checkArguments = (spec: Pick<ToolSpec, 'name' | 'parameters'>, args: unknown): CheckedArguments => {
  const fault = (needs: string): CheckedArguments => ({
    ok: false,
    message: `Tool '${spec.name}' needs ${needs}`,
  })
  if (!isRecord(args)) return fault('its arguments as an object')
  const checked: Record<string, unknown> = { ...args }
  const needs: string[] = []
  for (const check of checksOf(spec.parameters)) {
    const value = readOne(check, Object.hasOwn(args, check.key) ? args[check.key] : undefined)
    if (value === WRONG) needs.push(`"${check.key}" (${check.wanted?.words ?? 'see its schema'})`)
    else if (value === undefined) delete checked[check.key]
    else checked[check.key] = value
  }
  return needs.length > 0 ? fault(needs.join(' and ')) : { ok: true, args: checked }
}
