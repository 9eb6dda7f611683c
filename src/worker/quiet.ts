/**
 * Nothing on an agent thread may reach the host's stdout or stderr, which is where a thread's own go. What would have
 * been written is handed to `said` instead.
 */
export const silence = (said: (text: string) => void): void => {
  const write = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    said(String(chunk))
    const done = typeof encoding === 'function' ? encoding : callback
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }
  process.stdout.write = write
  process.stderr.write = write
  const speak = (...values: unknown[]): void => said(values.map(String).join(' '))
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[level] = speak
}
