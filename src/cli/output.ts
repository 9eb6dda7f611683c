import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { getSystemErrorMap } from 'node:util'

/** A stream whose reader may be slow, or go away at any time. */
export interface Output {
  /** Resolves when there is room for more: `false` once nobody reads any more, or nothing can be written. */
  write(text: string): Promise<boolean>
  /** Resolves when all is written, or nobody reads. Throws when it could not be written, saying why. */
  flush(): Promise<void>
}

type Fault = Error & { readonly code?: unknown; readonly errno?: unknown }

// What a pipe, a socket, a pipe of Windows and one that was closed say of a reader that left: no fault of ours.
const LEFT: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED'])

const reasonOf = ({ errno, message }: Fault): string => getSystemErrorMap().get(Number(errno))?.[1] ?? message

export const openOutput = (stream: Writable): Output => {
  const gone = new AbortController()
  let fault: Fault | undefined
  const leave = () => gone.abort()
  const fail = (error?: Fault | null) => {
    if (!error) return
    // The first says why: what was still to be written then fails because of it.
    if (!gone.signal.aborted && !LEFT.has(error.code)) fault = error
    leave()
  }
  stream.on('error', fail)
  stream.on('close', leave)
  const wait = async (event: string): Promise<boolean> => {
    try {
      await once(stream, event, { signal: gone.signal })
    } catch {
      leave()
    }
    return !gone.signal.aborted
  }
  return {
    write: async (text) => {
      if (gone.signal.aborted || stream.destroyed) return false
      return stream.write(text, fail) || (await wait('drain'))
    },
    flush: async () => {
      while (!gone.signal.aborted && !stream.destroyed && stream.writableLength > 0) {
        if (stream.writableNeedDrain) await wait('drain')
        else await new Promise<void>((done) => void stream.write('', () => done()))
      }
      if (fault) throw new Error(`The answer could not be written: ${reasonOf(fault)}.`, { cause: fault })
    },
  }
}

/** Writes all that a command has to say. Throws when it could not be written. */
export const writeAll = async (stream: Writable, text: string): Promise<void> => {
  const output = openOutput(stream)
  await output.write(text)
  await output.flush()
}
