import { type CooldownVerbs, cooldownVerbs } from './cooldown.ts'
import { type CounterVerbs, counterVerbs } from './counters.ts'
import { allocateWords, layoutOf } from './layout.ts'
import { type StopVerbs, stopVerbs } from './stop.ts'
import { type TerminalVerbs, terminalVerbs } from './terminal.ts'
import { type WakeVerbs, wakeVerbs } from './wake.ts'

/** The shared-memory slab behind verbs: what host and agent threads know of each other without a message. */
export interface Control extends TerminalVerbs, StopVerbs, WakeVerbs, CounterVerbs, CooldownVerbs {
  /** What another thread needs to `openControl` the same slab. */
  readonly slab: SharedArrayBuffer
  readonly threads: number
  readonly slots: number
}

const controlOver = (words: Int32Array): Control => {
  const at = layoutOf(words)
  return {
    slab: words.buffer as SharedArrayBuffer,
    threads: at.threads,
    slots: at.slots,
    ...terminalVerbs(words, at),
    ...stopVerbs(words, at),
    ...wakeVerbs(words, at),
    ...counterVerbs(words, at),
    ...cooldownVerbs(words, at),
  }
}

export const allocateControl = (threads: number, slots: number): Control => controlOver(allocateWords(threads, slots))

export const openControl = (slab: SharedArrayBuffer): Control => controlOver(new Int32Array(slab))
