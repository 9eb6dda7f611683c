import { denied } from './refusal.ts'

export const TRAVERSAL = 'Access denied: path traversal detected'

const LENGTH_MAX = 4096

/** Forms of other systems. Taken as names they would make a file nobody finds again. */
const FOREIGN: readonly { readonly form: RegExp; readonly reason: string }[] = [
  { form: /^[a-z][a-z0-9+.-]+:\/\//i, reason: 'A URL is not a path' },
  { form: /^[a-z]:[\\/]/i, reason: 'A drive letter is not part of a path here' },
  { form: /^~[\w.-]*\/|^~$/, reason: 'There is no home folder here' },
  { form: /^\$\{?[A-Z_]+\}?(\/|$)/, reason: 'Variables are not replaced in a path' },
  { form: /^\\\\/, reason: 'A network path cannot be used here' },
]

/** A backslash is part of a name here, but nobody writes such a name with `..` beside it in good faith. */
const BACKSLASH_TRAVERSAL = /\\\.\.([\\/]|$)|(^|[\\/])\.\.\\/

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The text of a path, or why it can be none. */
export const pathText = (raw: unknown): string => {
  if (typeof raw !== 'string') throw denied('The path is not a text')
  if (raw.trim() === '') throw denied('The path is empty')
  if (raw.includes('\0')) throw denied('The path holds a NUL character')
  if (raw.length > LENGTH_MAX || LONE_SURROGATE.test(raw)) throw denied('The path is too long or not well-formed')
  const foreign = FOREIGN.find(({ form }) => form.test(raw))
  if (foreign !== undefined) throw denied(foreign.reason)
  if (BACKSLASH_TRAVERSAL.test(raw)) throw denied(TRAVERSAL)
  return raw
}
