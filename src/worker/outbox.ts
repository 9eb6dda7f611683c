import type { AgentItem, ThreadMessage } from '../contract/envelopes.ts'

/** What agents of one thread tell the host, collected over one turn of the event loop and posted as one message. */
export interface Outbox {
  put(item: AgentItem): void
  /** An agent's last item. `settle` runs right after the post: the payload must be there before the swap is won. */
  end(item: AgentItem, settle: () => void): void
  /** Text as it streams; what arrives between two posts is one item. */
  delta(slot: number, generation: number, messageId: string, text: string): void
  flush(): void
}

type DeltaItem = Extract<AgentItem, { kind: 'delta' }>

export const createOutbox = (post: (message: ThreadMessage) => void): Outbox => {
  let items: AgentItem[] = []
  let settles: (() => void)[] = []
  const open = new Map<number, { -readonly [K in keyof DeltaItem]: DeltaItem[K] }>()
  let scheduled = false

  const flush = (): void => {
    scheduled = false
    if (items.length === 0) return
    const batch = items
    const swaps = settles
    items = []
    settles = []
    open.clear()
    post({ type: 'items', items: batch })
    for (const settle of swaps) settle()
  }

  // After the poll phase: all that this turn of the loop brought goes out together, and nothing waits for a timer.
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  const put = (item: AgentItem): void => {
    if (open.size > 0) open.delete(item.slot)
    items.push(item)
    schedule()
  }

  return {
    put,
    flush,
    end(item, settle) {
      put(item)
      settles.push(settle)
    },
    delta(slot, generation, messageId, text) {
      const last = open.get(slot)
      if (last?.messageId === messageId) {
        last.text += text
        return
      }
      const item: DeltaItem = { kind: 'delta', slot, generation, time: Date.now(), messageId, text }
      put(item)
      open.set(slot, item)
    },
  }
}
