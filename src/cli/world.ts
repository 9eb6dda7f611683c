import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { OpenRuntime } from './open-runtime.ts'

/** A stream that may be a terminal. */
export interface Out extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** All that a command touches, so that tests can hand it another. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Out
  readonly stderr: Out
  /** Where SIGINT, SIGTERM and SIGHUP arrive: the process. */
  readonly signals: EventEmitter
  readonly open: OpenRuntime
  /** The text of a file that comes with the package. */
  readonly packageFile: (name: string) => Promise<string>
  /** Leaves at once. */
  readonly exit: (code: number) => void
}
