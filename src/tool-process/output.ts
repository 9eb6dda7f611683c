const BYTES_PER_CALL = 64 * 1024

let left = BYTES_PER_CALL

/** Gives the next call its share of console output. */
export const refillOutput = (): void => {
  left = BYTES_PER_CALL
}

/** A tool that prints without end must cost the host, which reads it, nothing: past its share it prints into the void. */
export const boundOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...all: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      left -= chunk.length
      if (left >= 0) return write(chunk, ...rest)
      const done = rest.at(-1)
      if (typeof done === 'function') process.nextTick(done)
      return true
    }
  }
}
