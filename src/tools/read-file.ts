import { type OpenFile, openForReading } from '../sandbox/read.ts'
import type { ToolContext } from './context.ts'
import { fileKind } from './file-kind.ts'
import { type LineRange, lineRange } from './line-range.ts'
import { attempt, failure, success } from './outcome.ts'
import { cutHead, showControls, showGiven } from './text.ts'

const CHARS_MAX = 50_000
/** Bytes of a file that is read without a range, and that are counted for the mark of a cut. */
const BYTES_MAX = 64 * 1024 * 1024
const CHUNK = 64 * 1024
const HINT = 'Use start_line/end_line to read a specific range'

export type ReadFileArguments = {
  readonly path: string
  readonly start_line?: number | undefined
  readonly end_line?: number | undefined
}

const rangeProblem = (from: number, to: number): string | null => {
  if (from < 1) return '(start_line must be >= 1)'
  if (to < 1) return '(end_line must be >= 1)'
  return from > to ? '(start_line > end_line — no lines in range)' : null
}

const readChunk = async ({ handle }: OpenFile, signal: AbortSignal): Promise<Buffer> => {
  signal.throwIfAborted()
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK)
  return buffer.subarray(0, bytesRead)
}

/** Reads on until the range is complete or the file ends; true when it stopped before, being large and already cut. */
const readInto = async (
  range: LineRange,
  file: OpenFile,
  first: Buffer,
  encoding: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const decoder = new TextDecoder(encoding)
  let bytes = 0
  for (let chunk = first; chunk.length > 0; chunk = await readChunk(file, signal)) {
    if (!range.feed(decoder.decode(chunk, { stream: true }))) return false
    bytes += chunk.length
    if (bytes > BYTES_MAX && range.total > CHARS_MAX) return true
  }
  range.feed(decoder.decode())
  return false
}

const show = (range: LineRange, from: number, isWhole: boolean, more: boolean): string => {
  if (!range.reached) return from > 1 ? '(start_line exceeds file length)' : '(empty)'
  const lineEnd = isWhole || range.total > range.start.length ? '' : (/\r?\n$/.exec(range.start)?.[0] ?? '')
  const text = showControls(range.start.slice(0, range.start.length - lineEnd.length))
  return cutHead(text, range.total - lineEnd.length, CHARS_MAX, HINT, more ? '+' : '') || '(empty)'
}

const read = async (file: OpenFile, args: ReadFileArguments, signal: AbortSignal) => {
  const isWhole = args.start_line === undefined && args.end_line === undefined
  if (isWhole && file.size > BYTES_MAX) {
    return failure(
      `File is too large to read at once: ${showGiven(args.path)} (${file.size} bytes, at most ${BYTES_MAX}). ${HINT}`,
    )
  }
  const first = await readChunk(file, signal)
  if (first.length === 0) return success('(empty)')
  const kind = fileKind(first)
  if (!kind.text)
    return failure(
      `Cannot show ${showGiven(args.path)} as text: it is a binary file (${kind.kind}, ${file.size} bytes)`,
    )
  const from = args.start_line ?? 1
  const to = args.end_line ?? Number.POSITIVE_INFINITY
  const problem = rangeProblem(from, to)
  if (problem !== null) return success(problem)
  const range = lineRange(from, to, CHARS_MAX + 2)
  const more = await readInto(range, file, first, kind.encoding, signal)
  return success(show(range, from, isWhole, more))
}

/** Reads a text file, or some lines of it. Of a large one never more is kept than is shown. */
export const readFile = (args: ReadFileArguments, context: ToolContext) =>
  attempt(context, args.path, 'read', async () => {
    const file = await openForReading(context.view, args.path)
    try {
      return await read(file, args, context.signal)
    } finally {
      await file.handle.close()
    }
  })
