/** A process group whose owner knows of it. */
export interface OwnedGroup {
  /** Asks for its end, all of it. */
  stop(): void
  /** The process that leads it has ended; what it left in the background goes on until its agent ends. */
  led(): void
}

/** Who answers for the processes of an agent: they end with it, whatever dies. */
export interface CommandOwner {
  /**
   * Waits until one more command may run. Resolves with what gives its place back; rejects when `signal` is aborted, or
   * too many wait already.
   */
  admit(signal: AbortSignal): Promise<() => void>
  /** Takes over a group. `start` is called once nothing can be left behind any more, or never. */
  own(pid: number, start: () => void): OwnedGroup
  /** Calls `close` when the agent ends, before that is told. Returns what takes that back. */
  atEnd(close: () => void): () => void
  /** Takes note of files that commands wrote which the end of their agent cut short: no result tells of them. */
  wrote(files: readonly string[]): void
}
