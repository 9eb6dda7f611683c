import type { RunEvent } from '../../contract/events.ts'

/** Shows a run to a person, on stderr. */
export interface Progress {
  event(event: RunEvent): void
  /** A line of the command itself. */
  note(line: string): void
  /** The user asked to stop, and it takes a moment. */
  cancelling(): void
  /** Nothing more comes. May be called again. */
  end(): void
}

/** For `--json`: the events speak on stdout, only the command's own notes are shown. */
export const quietProgress = (write: (text: string) => void): Progress => ({
  event: () => {},
  note: (line) => write(`${line}\n`),
  cancelling: () => write('cancelling, once more to quit at once\n'),
  end: () => {},
})
