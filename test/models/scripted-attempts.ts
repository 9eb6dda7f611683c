import type { ModelSettings } from '../../src/contract/settings.ts'
import { allocateControl, type Control } from '../../src/control/control.ts'
import type { CallSink, ModelFailure, ModelReply, ModelRequest, StreamModel } from '../../src/models/port.ts'
import { createResilient } from '../../src/models/resilient.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { replyOf, requestTo, settings } from './ask.ts'

/** How one request goes: a failure, a reply, or nothing at all. */
export type Attempt = Partial<ModelFailure> | Partial<ModelReply> | 'hangs'

export const refused = (status: number, fields: Partial<ModelFailure> = {}): Partial<ModelFailure> => ({
  code: 'MODEL_FAILED',
  message: `HTTP ${status}`,
  retryable: true,
  status,
  retryAfterMs: null,
  ...fields,
})
export const answers = (text: string): Partial<ModelReply> => ({ text })

export interface Played {
  readonly clock: FakeClock
  readonly control: Control
  /** Every request: to which model, and when. */
  readonly sent: { readonly model: string; readonly at: number; readonly request: ModelRequest }[]
  /** Requests that were aborted. */
  aborted: number
  call(changes?: CallChanges): PlayedCall
}

interface CallChanges {
  readonly model?: Partial<ModelSettings>
  readonly fallbacks?: readonly Partial<ModelSettings>[]
  readonly deadlineAt?: number
  readonly mayStart?: () => boolean
  readonly request?: Partial<ModelRequest>
}

export interface PlayedCall {
  readonly retries: string[]
  outcome: ModelReply | ModelFailure | null
  abort(): void
}

export const messageOf = ({ outcome }: PlayedCall): string =>
  outcome === null ? 'nothing yet' : 'message' in outcome ? outcome.message : outcome.text

/** The layer that retries, over requests that go as the script says, one after the other, and a clock of the test's. */
export const playAttempts = (script: readonly Attempt[], random = 0.5): Played => {
  const clock = createFakeClock(1_800_000_000_000)
  const control = allocateControl(1, 1)
  const left = [...script]
  const played: Played = { clock, control, sent: [], aborted: 0, call: (changes) => start(changes) }

  const stream: StreamModel = (request, sink) => {
    played.sent.push({ model: request.model.name, at: clock.now(), request })
    const attempt = left.shift() ?? answers('over')
    const cancel =
      attempt === 'hangs'
        ? () => {}
        : clock.after(0, () =>
            'message' in attempt ? sink.failed(attempt as ModelFailure) : sink.done(replyOf(attempt as ModelReply)),
          )
    return () => {
      played.aborted++
      cancel()
    }
  }
  const callModel = createResilient({ stream, cooldown: control, clock, random: () => random })

  const start = ({ model, fallbacks = [], deadlineAt, mayStart, request }: CallChanges = {}): PlayedCall => {
    const own = settings('http://127.0.0.1:1', { maxRetries: 2, ...model })
    const call: PlayedCall = { retries: [], outcome: null, abort: () => {} }
    const settle = (outcome: ModelReply | ModelFailure): void => {
      if (call.outcome !== null) throw new Error('a second outcome')
      call.outcome = outcome
    }
    const sink: CallSink = {
      text: () => {},
      retrying: ({ message }) => call.retries.push(message),
      mayStart: mayStart ?? (() => true),
      done: settle,
      failed: settle,
    }
    call.abort = callModel(
      {
        ...requestTo(own, request),
        fallbacks: fallbacks.map((changes) => settings('http://127.0.0.1:2', { maxRetries: 2, ...changes })),
        deadlineAt: deadlineAt ?? Number.POSITIVE_INFINITY,
      },
      sink,
    )
    return call
  }
  return played
}
