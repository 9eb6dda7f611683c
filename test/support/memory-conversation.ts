import type { LedgerRow } from '../../src/contract/conversation.ts'
import type { TerminalStatus } from '../../src/contract/status.ts'
import { mergeRow } from '../../src/policy/ledger.ts'
import type { Conversation } from '../../src/runtime/conversations/conversations.ts'

/** A conversation that is written nowhere, and what it has come to. */
export interface MemoryConversation extends Conversation {
  readonly entries: readonly string[]
  readonly ends: readonly TerminalStatus[]
  ledger(): readonly LedgerRow[]
}

export const memoryConversation = (): MemoryConversation => {
  const entries: string[] = []
  const ends: TerminalStatus[] = []
  let ledger: readonly LedgerRow[] = []
  return {
    entries,
    ends,
    ledger: () => ledger,
    add: (entry) => void entries.push(entry),
    note(row) {
      ledger = mergeRow(ledger, row)
    },
    end(status, written) {
      ends.push(status)
      written()
    },
  }
}
