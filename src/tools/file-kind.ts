const SNIFFED = 8192
/** Of a text, more than this share of unreadable characters means that it is none, or in an encoding we do not know. */
const GARBLED_MAX = 0.3

const MAGIC: readonly { readonly start: string; readonly kind: string }[] = [
  { start: '\x89PNG', kind: 'a PNG image' },
  { start: '\xff\xd8\xff', kind: 'a JPEG image' },
  { start: 'GIF8', kind: 'a GIF image' },
  { start: '%PDF-', kind: 'a PDF document' },
  { start: 'PK\x03\x04', kind: 'a ZIP archive or office document' },
  { start: '\x1f\x8b', kind: 'a gzip archive' },
  { start: '\x7fELF', kind: 'a program' },
  { start: 'SQLite format 3', kind: 'an SQLite database' },
]

export type FileKind =
  | { readonly text: true; readonly encoding: string }
  | { readonly text: false; readonly kind: string }

const isGarbled = (sample: Buffer): boolean => {
  const text = sample.toString('utf8')
  // The sample may end within a character, which is one that does not count.
  const bad = text.match(/\ufffd|[^\P{Cc}\s]/gu)?.length ?? 0
  return bad - 1 > text.length * GARBLED_MAX
}

/** Tells text from what would only fill a context with noise, by the first bytes of a file. */
export const fileKind = (start: Buffer): FileKind => {
  const sample = start.subarray(0, SNIFFED)
  if (sample[0] === 0xff && sample[1] === 0xfe) return { text: true, encoding: 'utf-16le' }
  if (sample[0] === 0xfe && sample[1] === 0xff) return { text: true, encoding: 'utf-16be' }
  const latin = sample.toString('latin1')
  const magic = MAGIC.find(({ start }) => latin.startsWith(start))
  if (magic !== undefined) return { text: false, kind: magic.kind }
  if (sample.includes(0)) return { text: false, kind: 'binary data' }
  return isGarbled(sample)
    ? { text: false, kind: 'binary data or text that is not UTF-8' }
    : { text: true, encoding: 'utf-8' }
}
