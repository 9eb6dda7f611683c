import { fileKind } from './file-kind.ts'
import { occurrences } from './occurrences.ts'

/** More places than anybody means. */
export const PLACES_MAX = 10_000

export interface Edit {
  readonly oldText: string
  readonly newText: string
  /** Every place, and not only one that is the only one. */
  readonly all: boolean
}

export type Edited =
  | { readonly ok: true; readonly bytes: Buffer; readonly count: number }
  | { readonly ok: false; readonly why: 'binary'; readonly kind: string }
  | { readonly ok: false; readonly why: 'none' }
  /** `count` above `PLACES_MAX` means that nobody counted on; `lines` are those of the first places. */
  | { readonly ok: false; readonly why: 'several'; readonly count: number; readonly lines: readonly number[] }
  | { readonly ok: false; readonly why: 'large'; readonly size: number }

interface Encoding {
  /** Bytes of the shortest character. */
  readonly unit: number
  encode(text: string): Buffer
}

const UTF8: Encoding = { unit: 1, encode: (text) => Buffer.from(text, 'utf8') }
const UTF16: Readonly<Record<string, Encoding>> = {
  'utf-16le': { unit: 2, encode: (text) => Buffer.from(text, 'utf16le') },
  'utf-16be': { unit: 2, encode: (text) => Buffer.from(text, 'utf16le').swap16() },
}

const LINES_SHOWN = 10

const toLf = (text: string): string => text.replaceAll('\r\n', '\n')
const toCrlf = (text: string): string => toLf(text).replaceAll('\n', '\r\n')

type Spelling = (text: string) => string
const asWritten: Spelling = (text) => text

const find = (bytes: Buffer, text: string, { unit, encode }: Encoding, overlapping: boolean): number[] =>
  occurrences(bytes, encode(text), { unit, overlapping, max: PLACES_MAX + 1 })

/**
 * How line ends may be meant, in the order to try. Models read CRLF and write LF, so where a file has no other line end
 * it keeps its own, also in what is new; elsewhere a text is taken as it is written, if it is there.
 */
const spellings = (bytes: Buffer, text: string, encoding: Encoding): readonly Spelling[] => {
  const [crlf] = occurrences(bytes, encoding.encode('\r\n'), { unit: encoding.unit, overlapping: false, max: 1 })
  if (crlf === undefined) return text.includes('\r\n') ? [asWritten, toLf] : [asWritten]
  return hasBareLf(bytes, encoding) ? [asWritten, toCrlf, toLf] : [toCrlf]
}

const hasBareLf = (bytes: Buffer, { unit, encode }: Encoding): boolean => {
  const cr = encode('\r')
  const ends = occurrences(bytes, encode('\n'), { unit, overlapping: false, max: Number.POSITIVE_INFINITY })
  return ends.some((at) => at < unit || !bytes.subarray(at - unit, at).equals(cr))
}

const linesAt = (bytes: Buffer, places: readonly number[], { unit, encode }: Encoding): number[] => {
  const sought = encode('\n')
  let line = 1
  let from = 0
  return places.slice(0, LINES_SHOWN).map((place) => {
    const piece = bytes.subarray(from, place)
    line += occurrences(piece, sought, { unit, overlapping: false, max: Number.POSITIVE_INFINITY }).length
    from = place
    return line
  })
}

const replaceAt = (bytes: Buffer, places: readonly number[], size: number, replacement: Buffer): Buffer => {
  const pieces: Buffer[] = []
  let from = 0
  for (const place of places) {
    pieces.push(bytes.subarray(from, place), replacement)
    from = place + size
  }
  return Buffer.concat([...pieces, bytes.subarray(from)])
}

/** The bytes of a text file with one text in place of another; all others stay as they are, also those that are no text. */
export const editText = (bytes: Buffer, { oldText, newText, all }: Edit, bytesMax: number): Edited => {
  const kind = fileKind(bytes)
  if (!kind.text) return { ok: false, why: 'binary', kind: kind.kind }
  const encoding = UTF16[kind.encoding] ?? UTF8
  for (const spell of spellings(bytes, oldText, encoding)) {
    const [sought, replacement] = [encoding.encode(spell(oldText)), encoding.encode(spell(newText))]
    const places = find(bytes, spell(oldText), encoding, !all)
    const count = places.length
    if (count === 0) continue
    if (count > PLACES_MAX || (count > 1 && !all))
      return { ok: false, why: 'several', count, lines: linesAt(bytes, places, encoding) }
    const size = bytes.length + count * (replacement.length - sought.length)
    if (size > bytesMax) return { ok: false, why: 'large', size }
    return { ok: true, bytes: replaceAt(bytes, places, sought.length, replacement), count }
  }
  return { ok: false, why: 'none' }
}
