import type { AgentRef } from '../contract/envelopes.ts'
import { type Layout, SlotWord } from './layout.ts'

export interface Counters {
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Place of the tool in the settings' list, counted from 1; 0 for none yet. */
  readonly lastTool: number
}

/** What `stats()` shows of a live agent. Written by its thread alone, so plain stores do. */
export interface CounterVerbs {
  count(ref: AgentRef, counters: Omit<Counters, 'lastTool'>): void
  usedTool(ref: AgentRef, tool: number): void
  counters(ref: AgentRef): Counters
}

export const counterVerbs = (words: Int32Array, at: Layout): CounterVerbs => ({
  count({ slot }, { turns, inputTokens, outputTokens }) {
    Atomics.store(words, at.slot(slot, SlotWord.turns), turns)
    Atomics.store(words, at.slot(slot, SlotWord.inputTokens), inputTokens)
    Atomics.store(words, at.slot(slot, SlotWord.outputTokens), outputTokens)
  },
  usedTool: ({ slot }, tool) => void Atomics.store(words, at.slot(slot, SlotWord.lastTool), tool),
  counters: ({ slot }) => ({
    turns: Atomics.load(words, at.slot(slot, SlotWord.turns)),
    inputTokens: Atomics.load(words, at.slot(slot, SlotWord.inputTokens)),
    outputTokens: Atomics.load(words, at.slot(slot, SlotWord.outputTokens)),
    lastTool: Atomics.load(words, at.slot(slot, SlotWord.lastTool)),
  }),
})
