import type { LedgerRow, Recalled } from '../contract/conversation.ts'
import { mergeRow } from '../policy/ledger.ts'

/** One thread's conversation, held by one run at a time. */
export interface Conversation {
  readonly threadId: string
  /** What a run that starts now goes on from. */
  recall(): Recalled
  /** Adds one entry. It is JSON text and stays unread on this thread. */
  add(entry: string): void
  note(row: LedgerRow): void
  /** Characters kept. */
  size(): number
}

/**
 * What is left of conversations between their runs. Here and not on the agent thread that ran the lead: that thread may
 * die, and the next run may be given to another. The host gets each message as it is finished, as one opaque string, and
 * so has all but the last even of a lead whose thread was lost. Beyond the bounds the conversation longest unused goes.
 */
export interface Conversations {
  /** Hands a conversation out, new or as it was left; `null` while another run has it. */
  open(threadId: string): Promise<Conversation | null>
  /** Takes it back once its run has ended. */
  keep(conversation: Conversation): void
}

/** Conversations that wait for their next run, and the characters of all of them. */
const KEPT_MAX = 1000
const KEPT_CHARS_MAX = 16 * 1024 * 1024

const sizeOf = ({ description, result_brief, partial_brief }: LedgerRow): number =>
  300 + description.length + (result_brief?.length ?? 0) + (partial_brief?.length ?? 0)

export const createConversation = (threadId: string): Conversation => {
  const entries: string[] = []
  let characters = 0
  let ledger: readonly LedgerRow[] = []
  return {
    threadId,
    recall: () => ({ history: entries.join('\n'), ledger }),
    add(entry) {
      entries.push(entry)
      characters += entry.length
    },
    note(row) {
      ledger = mergeRow(ledger, row)
    },
    size: () => ledger.reduce((sum, row) => sum + sizeOf(row), characters),
  }
}

export const createConversations = (): Conversations => {
  /** The longest unused first. */
  const kept = new Map<string, { readonly conversation: Conversation; readonly size: number }>()
  let characters = 0
  const held = new Set<string>()

  const take = (threadId: string): Conversation | undefined => {
    const found = kept.get(threadId)
    if (!found) return undefined
    kept.delete(threadId)
    characters -= found.size
    return found.conversation
  }

  return {
    // Whoever asks first has it: nothing is waited for before it is noted as held.
    async open(threadId) {
      if (held.has(threadId)) return null
      held.add(threadId)
      return take(threadId) ?? createConversation(threadId)
    },
    keep(conversation) {
      held.delete(conversation.threadId)
      const size = conversation.size()
      kept.set(conversation.threadId, { conversation, size })
      characters += size
      for (const threadId of kept.keys()) {
        if (kept.size <= KEPT_MAX && (characters <= KEPT_CHARS_MAX || kept.size === 1)) break
        take(threadId)
      }
    },
  }
}
