import { createHash } from 'node:crypto'
import type { LedgerRow } from '../contract/conversation.ts'
import type { TaskOutcome } from '../contract/envelopes.ts'
import { closeRow, openRow } from '../policy/ledger.ts'
import type { Assignment } from './tracked.ts'

// The ledger is written here, from what the supervisor knows for a fact: a lead that was cancelled or lost cannot
// leave a delegation behind as if it were still under way.

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const rowOf = ({ taskId, run, description, subagentType, queuedAt }: Assignment): LedgerRow =>
  openRow({
    id: taskId ?? '',
    run_id: run.id,
    description,
    subagent_type: subagentType,
    created_at: new Date(queuedAt).toISOString(),
  })

export const noteBegin = (task: Assignment): void => task.run.conversation.note(rowOf(task))

export const noteEnd = (task: Assignment, outcome: TaskOutcome): void =>
  task.run.conversation.note(closeRow(rowOf(task), outcome, sha256))
