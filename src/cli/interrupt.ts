import type { EventEmitter } from 'node:events'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `first` for the first of the signals that ask to stop, `again` for every later one and for SIGQUIT, which does
 * not ask. Returns the off switch.
 */
export const onInterrupt = (signals: EventEmitter, first: () => void, again: () => void): (() => void) => {
  let asked = false
  const listener = () => {
    if (asked) return again()
    asked = true
    first()
  }
  for (const signal of SIGNALS) signals.on(signal, listener)
  signals.on('SIGQUIT', again)
  return () => {
    signals.off('SIGQUIT', again)
    for (const signal of SIGNALS) signals.off(signal, listener)
  }
}
