import type { Usage } from '../contract/messages.ts'
import { NO_USAGE } from '../contract/messages.ts'
import type { LoopWatch } from '../policy/loop.ts'
import type { Measure } from '../policy/usage-estimate.ts'

/** What the guards remember of one agent. Made as it is needed: thousands of young agents may live at once. */
export interface Watch {
  loop: LoopWatch | null
  /** Responses in a row that asked for nothing that could run. */
  fruitless: number
  budgetWarned: boolean
  /** What its subagents have spent. */
  delegated: Usage
  measure: Measure | null
  /** No compaction before the transcript has so many messages. */
  compactFrom: number
  /** The provider has said that the transcript does not fit. */
  tooLong: boolean
  compactionWarned: boolean
}

export const createWatch = (): Watch => ({
  loop: null,
  fruitless: 0,
  budgetWarned: false,
  delegated: NO_USAGE,
  measure: null,
  compactFrom: 0,
  tooLong: false,
  compactionWarned: false,
})
