import type { Readable } from 'node:stream'

const TAIL_BYTES = 4096
/** A pattern may begin in one chunk and end in the next. */
const OVERLAP = 64

export interface Tail {
  text(): string
  /** Whether the pattern went by, also if it is no longer held. */
  matched(): boolean
  /** Gives the text and begins anew. */
  take(): string
}

/** Keeps the end of what a stream says. */
export const keepTail = (stream: Readable, pattern?: RegExp): Tail => {
  let held = Buffer.alloc(0)
  let seen = false
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    if (pattern && !seen) seen = pattern.test(Buffer.concat([held.subarray(-OVERLAP), chunk]).toString('latin1'))
    // Copied, or 4 KiB would hold on to a chunk of 64.
    const end = chunk.subarray(-TAIL_BYTES)
    held = Buffer.concat([held.subarray(Math.max(0, held.length + end.length - TAIL_BYTES)), end])
  })
  const text = (): string => held.toString('utf8')
  return {
    text,
    matched: () => seen,
    take: () => {
      const taken = text()
      held = Buffer.alloc(0)
      seen = false
      return taken
    },
  }
}
