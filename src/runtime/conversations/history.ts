/** The lines of a conversation that its next run goes on from, as they stand in the log. */
export interface History {
  add(line: Buffer): void
  /** Forgets what a compacted transcript has replaced. */
  clear(): void
  bytes(): Uint8Array
}

const NEWLINE = 10

/** `capacity`: bytes of the log, of which no line can be more. In memory that threads share, so that nothing copies it. */
export const createHistory = (capacity: number): History => {
  const bytes = new Uint8Array(new SharedArrayBuffer(capacity))
  let length = 0
  return {
    add(line) {
      bytes.set(line, length)
      length += line.length
      bytes[length++] = NEWLINE
    },
    clear() {
      length = 0
    },
    bytes: () => bytes.subarray(0, length),
  }
}

/** For a reader that wants only what the log says about itself. */
export const noHistory: History = { add: () => {}, clear: () => {}, bytes: () => new Uint8Array() }
