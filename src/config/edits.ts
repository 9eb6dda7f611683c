import { statSync } from 'node:fs'

/** Milliseconds a file has to be left alone before it counts as written: editors empty it first, or write it in pieces. */
const QUIET_MS = 50
/** Milliseconds after which it is read as it is. */
const PATIENCE_MS = 1000

/** Tells whether a file was changed since it was last read. Nothing runs between two questions. */
export interface Edits {
  /** Whether it may hold something else than what was read. */
  pending(): boolean
  /** Waits until nobody seems to write; what stands there from now on counts as read. */
  settle(): Promise<void>
}

export interface EditsOptions {
  /** Milliseconds since the epoch, by the clock that the file system has too. */
  now(): number
  wait(ms: number): Promise<void>
  /** When the file began to be read for the first time. */
  readonly since: number
}

interface Seen {
  readonly mark: string
  /** Milliseconds since the epoch of the last change of what it holds or of its name. No program can set it. */
  readonly changedAt: number
}

const GONE: Seen = { mark: 'gone', changedAt: Number.NEGATIVE_INFINITY }

const look = (path: string): Seen => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return { mark: [dev, ino, size, mtimeNs, ctimeNs].join(), changedAt: Number(ctimeNs / 1_000_000n) }
  } catch {
    return GONE
  }
}

/** A second change within one tick of the file system's clock leaves no trace: what is this young is looked at again. */
const isYoung = ({ changedAt }: Seen, time: number): boolean => {
  const age = time - changedAt
  return age >= 0 && age < QUIET_MS
}

export const watchEdits = (path: string, { now, wait, since }: EditsOptions): Edits => {
  let read = look(path)
  let isSure = read.changedAt < since - QUIET_MS

  return {
    pending: () => !isSure || look(path).mark !== read.mark,
    async settle() {
      const end = now() + PATIENCE_MS
      read = look(path)
      if (read === GONE) {
        // Some editors take the old file away before they put the new one there.
        await wait(QUIET_MS)
        read = look(path)
      }
      while (isYoung(read, now()) && now() < end) {
        await wait(QUIET_MS / 2)
        read = look(path)
      }
      isSure = !isYoung(read, now())
    },
  }
}
