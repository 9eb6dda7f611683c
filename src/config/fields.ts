import * as z from 'zod/mini'
import { SECONDS_MAX } from '../contract/limits.ts'
import { variableOf } from './env.ts'

/** The words that every section is written in. A bound that is crossed says the whole range. */

type Shape = z.core.$ZodLooseShape
type Check<S extends Shape> = z.core.CheckFn<z.output<z.ZodMiniObject<S, z.core.$strict>>>

/** Keys that belong together, such as one entry of a map or list. `checks` run even when a key is wrong. */
export const entry = <S extends Shape>(shape: S, ...checks: Check<S>[]) =>
  z.strictObject(shape).check(...checks.map((check) => z.check(check, { when: () => true })))

/** Keys that belong together and may all be left out. */
export const section = <S extends Shape>(shape: S, ...checks: Check<S>[]) =>
  z.prefault(entry(shape, ...checks), {} as never)

export const optional = <S extends z.core.SomeType>(schema: S) => z._default(z.nullable(schema), null as never)

export const list = <S extends z.core.SomeType>(item: S) => z._default(z.array(item), [])

const NAME = /^[^\s\p{C}](?:[^\p{C}]{0,62}[^\s\p{C}])?$/u

/** A map from names that the user chooses. */
export const named = <S extends z.core.SomeType>(value: S) =>
  z._default(z.record(z.string().check(z.regex(NAME)), value), {})

/** A map of variables, headers and the like. */
export const map = <S extends z.core.SomeType>(value: S) => z._default(z.record(z.string(), value), {})

export const flag = (fallback: boolean) => z._default(z.boolean(), fallback)

// Rules are patterns where they can be: these are what the JSON Schema for editors can say too.
const notBlank = z.regex(/\S/, { error: 'must not be blank', abort: true })

export const text = z.string().check(notBlank)

/** Text that is compared letter by letter, so that what nobody sees would make it another. */
const oneLine = z.regex(/^(?!\s)\P{Cc}*(?<!\s)$/u, {
  error: 'must be one line that neither begins nor ends with a blank',
})

export const label = text.check(oneLine)

export const strings = z.array(z.string())

/** `module#export` of something that the user brings. */
export const moduleExport = z
  .string()
  .check(z.regex(/^[^#\s][^#]*#[^#\s]+$/, { error: 'must be module#export, such as ./tools/lookup.mjs#lookup' }))

const OPEN = Number.MAX_SAFE_INTEGER

/** Whether a number is kept as it was written. */
const isExact = (value: number): boolean => Number.isSafeInteger(value) || !Number.isInteger(value)

/** Says the range, and what stands there unless it may be a secret or was rounded when it was read. */
const outside = (kind: string, min: number, max: number) => {
  const rule = max === OPEN ? `must be ${kind} of at least ${min}` : `must be ${kind} from ${min} to ${max}`
  return ({ input }: { readonly input?: unknown }): string => {
    if (typeof input === 'number' && isExact(input)) return `${rule}, not ${input}`
    if (typeof input === 'number') return max === OPEN ? `${rule} and at most ${OPEN}` : rule
    if (typeof input !== 'string') return rule
    return /^\s*[-+]?\d/.test(input) ? `${rule}, in plain digits without quotes or leading zeros` : `${rule}, not text`
  }
}

export const integer = (min: number, max = OPEN) => {
  const error = outside('a whole number', min, max)
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }))
}

export const number = (min: number, max: number) => {
  const error = outside('a number', min, max)
  return z.number({ error }).check(z.gte(min, { error }), z.lte(max, { error }))
}

export const positive = integer(1)

export const count = (fallback: number, min: number, max?: number) => z._default(integer(min, max), fallback)

/** How long an agent may take, in whole seconds. */
export const wholeSeconds = integer(1, SECONDS_MAX)

/** A time, parts of a second included. */
export const span = number(0.1, SECONDS_MAX)

/** How long one call may take; parts of a second are fine. */
export const seconds = (fallback: number) => z._default(span, fallback)

type Kind = 'text' | 'url' | 'header'

/** The fields that may name a variable, and what the variable has to hold. */
const references = new WeakMap<z.core.$ZodType, Kind>()

const marked = <S extends z.core.$ZodType>(kind: Kind, schema: S): S => {
  references.set(schema, kind)
  return schema
}

/** What a variable has to hold that a field names; `undefined` where `$NAME` is plain text. */
export const referenceKind = (schema: z.core.$ZodType): Kind | undefined => references.get(schema)

/** Text, or the `$NAME` or `${NAME}` of a variable that holds it. */
export const reference = marked('text', z.string())

export const referenceText = marked('text', z.string().check(notBlank))

export const referenceLabel = marked('text', text.check(oneLine))

/** A line end at the end of a key is what comes of reading it from a file. */
const HEADER = /^(?:\t|\P{Cc})*$/u

const headerValue = z.regex(HEADER, { error: 'must be one line without control characters' })

/** Text that is sent as a header or as part of one. */
export const referenceHeader = marked('header', z.string().check(headerValue))

/** What opens a door: sent as part of a header, and never blank. */
export const referenceSecret = marked('header', z.string().check(notBlank, headerValue))

const URL_RULE = 'must be a URL that begins with http:// or https://'
const isHttpUrl = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

export const referenceUrl = marked(
  'url',
  z.string().check(
    z.regex(/^(?:[Hh][Tt]{2}[Pp][Ss]?:\/\/|\$[A-Za-z_]\w*$|\$\{[A-Za-z_]\w*\}$)/, { error: URL_RULE }),
    z.refine((value) => variableOf(value) !== null || isHttpUrl(value), { error: URL_RULE }),
  ),
)

/** Why the value of a variable cannot serve a field of a kind; `null` where it can. */
export const whyUnfit = (kind: Kind, value: string): string | null => {
  if (kind === 'url' && !isHttpUrl(value)) return 'must begin with http:// or https:// and hold a URL'
  return kind === 'header' && !HEADER.test(value) ? 'holds a line end or another control character' : null
}
