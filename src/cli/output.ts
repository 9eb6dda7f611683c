import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** A stream whose reader may be slow, or go away at any time. */
export interface Output {
  /** Resolves when there is room for more: `false` once nobody reads any more. */
  write(text: string): Promise<boolean>
  /** Resolves when all is written, or nobody reads. */
  flush(): Promise<void>
}

export const openOutput = (stream: Writable): Output => {
  const gone = new AbortController()
  const leave = () => gone.abort()
  // EPIPE and its kin: a reader that left is no fault of ours.
  stream.on('error', leave)
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
      return stream.write(text) || (await wait('drain'))
    },
    flush: async () => {
      while (!gone.signal.aborted && !stream.destroyed && stream.writableLength > 0) {
        if (stream.writableNeedDrain) await wait('drain')
        else await new Promise<void>((done) => void stream.write('', () => done()))
      }
    },
  }
}
