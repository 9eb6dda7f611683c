import type { ThreadMessage } from '../contract/envelopes.ts'
import type { TurnBudget } from './turn-budget.ts'

/** What a thread has said and the host has not yet taken in. */
export interface Inbox {
  /** Takes in what there is time for in this turn of the loop, and the rest in the next ones. */
  add(message: ThreadMessage): void
  /** Takes in all of it, however long that takes. */
  empty(): void
}

/** Items taken in between two looks at the clock. */
const CHUNK = 8

const chunksOf = (message: ThreadMessage): readonly ThreadMessage[] => {
  if (message.type !== 'items' || message.items.length <= CHUNK) return [message]
  const chunks: ThreadMessage[] = []
  for (let from = 0; from < message.items.length; from += CHUNK) {
    chunks.push({ type: 'items', items: message.items.slice(from, from + CHUNK) })
  }
  return chunks
}

export const createInbox = (take: (message: ThreadMessage) => void, budget: TurnBudget): Inbox => {
  let waiting: ThreadMessage[] = []
  let next = 0
  let scheduled = false

  const takeNext = (): void => {
    const message = waiting[next++]
    if (message) take(message)
    if (next < waiting.length) return
    waiting = []
    next = 0
  }

  const takeSome = (): void => {
    while (waiting.length > 0 && !budget.isSpent()) takeNext()
    if (waiting.length === 0 || scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  const turn = (): void => {
    scheduled = false
    // Whatever other threads have spent: none waits for ever.
    if (waiting.length > 0) takeNext()
    takeSome()
  }

  return {
    add(message) {
      for (const chunk of chunksOf(message)) waiting.push(chunk)
      if (!scheduled) takeSome()
    },
    empty() {
      while (waiting.length > 0) takeNext()
    },
  }
}
