import type { EventFields, EventType } from '../contract/events.ts'
import type { RunResult } from '../contract/result.ts'
import type { Assignment } from './assignment.ts'
import type { EventLog } from './event-log.ts'
import type { RunSettings } from './settings.ts'

/** One run as the host tracks it. */
export interface RunState {
  readonly id: string
  readonly threadId: string
  readonly startedAt: number
  readonly log: EventLog
  readonly settings: RunSettings
  readonly traceparent: string
  readonly deltas: boolean
  readonly states: boolean
  lead: Assignment | null
  readonly tasks: Map<string, Assignment>
  /** Tasks that have not ended. */
  live: number
  result: RunResult | null
  readonly finish: (result: RunResult) => void
}

export const emit = <T extends EventType>(run: RunState, type: T, fields: EventFields[T]): void => run.log.append(type, fields)
