import type { AgentRef } from '../contract/envelopes.ts'
import type { StopCause } from '../contract/status.ts'
import { codeOf, generationOf, type Layout, SlotWord, tagged } from './layout.ts'

const CODES: Readonly<Record<StopCause, number>> = { cancel: 1, deadline: 2, close: 3 }
const CAUSES: readonly (StopCause | undefined)[] = [undefined, 'cancel', 'deadline', 'close']

/**
 * Asking an agent to stop. The lead's own word doubles as the gate of its run: once it holds a cause, no agent of the
 * run starts a model call, a tool or a delegation.
 */
export interface StopVerbs {
  /** Whether this was the first cause; a later one changes nothing. Does not wake the thread. */
  ask(ref: AgentRef, cause: StopCause): boolean
  asked(ref: AgentRef): StopCause | undefined
  /** Whether the gate is shut. A gate of another generation belongs to a run that is over. */
  closed(gate: AgentRef): boolean
}

export const stopVerbs = (words: Int32Array, at: Layout): StopVerbs => {
  const read = ({ slot, generation }: AgentRef): number | undefined => {
    const word = Atomics.load(words, at.slot(slot, SlotWord.stop))
    return generationOf(word) === generation ? codeOf(word) : undefined
  }
  return {
    ask({ slot, generation }, cause) {
      const none = tagged(generation, 0)
      return (
        Atomics.compareExchange(words, at.slot(slot, SlotWord.stop), none, tagged(generation, CODES[cause])) === none
      )
    },
    asked: (ref) => CAUSES[read(ref) ?? 0],
    closed: (gate) => read(gate) !== 0,
  }
}
