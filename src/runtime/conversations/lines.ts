import type { FileHandle } from 'node:fs/promises'
import { kindOf } from './record.ts'

/** Bytes read at once: small enough that what is done with them does not hold up the host. */
const SLICE = 256 * 1024
const NEWLINE = 10

/** What a run begins with is set off from what stands above by an empty line, unless that was half a line. */
const mayFollowHalfALine = (line: Buffer): boolean => kindOf(line) === 'run' || kindOf(line) === 'troupe'

/** Cuts what is read into lines. */
const createCutter = () => {
  let begun: Buffer[] = []
  // Whether its writer finished a line shows in the next.
  let held: Buffer | null = null

  const finish = (piece: Buffer): Buffer => {
    const line = begun.length > 0 ? Buffer.concat([...begun, piece]) : piece
    begun = []
    return line
  }

  /** The lines that are known to be whole. */
  const cut = (read: Buffer): readonly Buffer[] => {
    const lines: Buffer[] = []
    let start = 0
    for (let end = read.indexOf(NEWLINE); end >= 0; end = read.indexOf(NEWLINE, start)) {
      const line = finish(read.subarray(start, end))
      if (held !== null && !mayFollowHalfALine(line)) lines.push(held)
      held = line.length > 0 ? line : null
      start = end + 1
    }
    if (start < read.length) begun.push(read.subarray(start))
    return lines
  }

  return { cut, last: () => held }
}

/**
 * The lines in the first `size` bytes of a log, slice by slice. A line that its writer did not finish is left out: the
 * last one without its line break, and one directly above what a run begins with.
 */
export async function* readLines(handle: FileHandle, size: number): AsyncGenerator<readonly Buffer[]> {
  const { cut, last } = createCutter()
  for (let position = 0; position < size; ) {
    const slice = Buffer.allocUnsafe(Math.min(SLICE, size - position))
    const { bytesRead } = await handle.read(slice, 0, slice.length, position)
    if (bytesRead === 0) break
    position += bytesRead
    yield cut(slice.subarray(0, bytesRead))
  }
  const line = last()
  if (line !== null) yield [line]
}
