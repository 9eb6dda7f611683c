import type { AgentRef } from '../contract/envelopes.ts'
import type { TerminalStatus } from '../contract/status.ts'
import { codeOf, GENERATION_LIMIT, generationOf, type Layout, SlotWord, tagged } from './layout.ts'

const FREE = 0
const RUNNING = 1
const CODES: Readonly<Record<TerminalStatus, number>> = {
  completed: 2,
  failed: 3,
  cancelled: 4,
  timed_out: 5,
  needs_input: 6,
}
const STATUSES = Object.entries(CODES) as [TerminalStatus, number][]

/** `gone`: the slot has moved on, or the host has taken it back. */
export type Standing = 'running' | 'gone' | TerminalStatus

/**
 * The one terminal status of an agent. Agent and host may both want to end it; whoever swaps `running` of that very
 * generation for an end has won, and everyone else has lost for good.
 */
export interface TerminalVerbs {
  /** Host only, on a free slot: begins the next generation, running. */
  occupy(slot: number): AgentRef
  /** Whether this caller ended the agent. */
  settle(ref: AgentRef, status: TerminalStatus): boolean
  standing(ref: AgentRef): Standing
  /** Host only, once the agent has an end and its thread has let go of it or died. */
  release(ref: AgentRef): void
}

export const terminalVerbs = (words: Int32Array, at: Layout): TerminalVerbs => ({
  occupy(slot) {
    const index = at.slot(slot, SlotWord.status)
    const generation = (generationOf(Atomics.load(words, index)) + 1) % GENERATION_LIMIT
    for (const word of [SlotWord.turns, SlotWord.inputTokens, SlotWord.outputTokens, SlotWord.lastTool]) {
      Atomics.store(words, at.slot(slot, word), 0)
    }
    Atomics.store(words, at.slot(slot, SlotWord.stop), tagged(generation, 0))
    Atomics.store(words, index, tagged(generation, RUNNING))
    return { slot, generation }
  },
  settle({ slot, generation }, status) {
    const running = tagged(generation, RUNNING)
    return (
      Atomics.compareExchange(words, at.slot(slot, SlotWord.status), running, tagged(generation, CODES[status])) ===
      running
    )
  },
  standing({ slot, generation }) {
    const word = Atomics.load(words, at.slot(slot, SlotWord.status))
    if (generationOf(word) !== generation) return 'gone'
    const code = codeOf(word)
    if (code === RUNNING) return 'running'
    return STATUSES.find(([, known]) => known === code)?.[0] ?? 'gone'
  },
  release({ slot, generation }) {
    const index = at.slot(slot, SlotWord.status)
    if (generationOf(Atomics.load(words, index)) === generation) Atomics.store(words, index, tagged(generation, FREE))
  },
})
