import type { LedgerRow } from '../../src/contract/conversation.ts'
import { mergeRow } from '../../src/policy/ledger.ts'
import type { Conversation } from '../../src/runtime/conversations/conversations.ts'

/** A conversation that is written nowhere, and what it has come to. */
export interface MemoryConversation extends Conversation {
  readonly entries: readonly string[]
  ledger(): readonly LedgerRow[]
}

export const memoryConversation = (): MemoryConversation => {
  const entries: string[] = []
  let ledger: readonly LedgerRow[] = []
  return {
    entries,
    ledger: () => ledger,
    add: (entry) => void entries.push(entry),
    note(row) {
      ledger = mergeRow(ledger, row)
    },
    end: (_, written) => written(),
  }
}
