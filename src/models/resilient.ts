import type { ModelSettings } from '../contract/settings.ts'
import { type CooldownVerbs, PAUSE_MAX_MS } from '../control/cooldown.ts'
import { repairTranscript } from '../policy/repair-transcript.ts'
import { isFault } from './answer.ts'
import { nextBackoff, spreadMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import { type Fault, lasting, modelFailed } from './failure.ts'
import { finishReply } from './finish-reply.ts'
import type { CallModel, CallSink, ModelCall, ModelFailure, ModelReply, ModelSink, StreamModel } from './port.ts'
import { providerKey } from './provider-key.ts'
import { dropReasoning } from './reasoning.ts'

export interface ResilientOptions {
  /** Sends one request. */
  readonly stream: StreamModel
  readonly cooldown: CooldownVerbs
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
}

/** One call on its way: a record and not a closure per event, since every turn of every agent makes one. */
interface Calling {
  readonly options: ResilientOptions
  readonly call: ModelCall
  readonly sink: CallSink
  readonly attempt: ModelSink
  model: ModelSettings
  /** Place of `model` in the chain; 0 is the call's own. */
  place: number
  /** Requests made to `model`. */
  tries: number
  backoffMs: number
  /** Time spent waiting for pauses that others began. */
  heldMs: number
  /** What went wrong with the models before this one. */
  past: string
  /** Ends what is under way: a request, or a wait. */
  stop: () => void
}

/**
 * The one layer that sends a request again: when it may pass, after a wait that no two share, within the agent's time;
 * then to the model's fallbacks. One refusal for haste pauses everyone who uses that key, on every thread.
 */
export const createResilient =
  (options: ResilientOptions): CallModel =>
  (call, sink) => {
    const calling: Calling = {
      options,
      call: sendable(call),
      sink,
      attempt: {
        text: (delta) => sink.text(delta),
        done: (reply) => finish(calling, reply),
        failed: (failure) => recover(calling, failure),
      },
      model: call.model,
      place: 0,
      tries: 0,
      backoffMs: 0,
      heldMs: 0,
      past: '',
      stop: () => {},
    }
    begin(calling)
    return () => calling.stop()
  }

/** Whatever the transcript holds, what is sent is valid. */
const sendable = (call: ModelCall): ModelCall => {
  const messages = repairTranscript(call.messages)
  return messages === call.messages ? call : { ...call, messages }
}

/** Sends the request, unless its provider is paused. */
const begin = (calling: Calling): void => {
  const paused = pausedMs(calling)
  if (paused === 0 || calling.heldMs >= PAUSE_MAX_MS) send(calling)
  else if (fits(calling, paused)) hold(calling, paused)
  // The caller may not hold the abort yet, so the sink hears of it later.
  else wait(calling, 0, () => recover(calling, modelFailed(calling.model, cannotWait(paused))))
}

const pausedMs = ({ options: { cooldown, clock }, model }: Calling): number =>
  cooldown.paused(providerKey(model), clock.now())

const fits = ({ options: { clock }, call }: Calling, ms: number): boolean => clock.now() + ms < call.deadlineAt

const cannotWait = (ms: number): Fault =>
  lasting(`the provider is paused for ${seconds(ms)} after a refusal, which is past the agent's deadline`)

const hold = (calling: Calling, ms: number): void => {
  calling.heldMs += ms
  wait(calling, ms + spread(calling, ms), () => begin(calling))
}

const spread = ({ options, model }: Calling, ms: number): number =>
  spreadMs(options.cooldown.ticket(providerKey(model)), ms)

const wait = (calling: Calling, ms: number, then: () => void): void => {
  calling.stop = calling.options.clock.after(ms, () => {
    if (calling.sink.mayStart()) then()
  })
}

const send = (calling: Calling): void => {
  const { call, model, place, attempt, options } = calling
  calling.tries++
  calling.stop = options.stream(place === 0 ? call : { ...call, model }, attempt)
}

const finish = (calling: Calling, reply: ModelReply): void => {
  const outcome = finishReply(calling.model, reply)
  if (isFault(outcome)) recover(calling, modelFailed(calling.model, outcome))
  else calling.sink.done(outcome, calling.model)
}

/** Decides what follows a failure: the same request after a wait, the next model, or the end of the call. */
const recover = (calling: Calling, failure: ModelFailure): void => {
  if (dropReasoning(calling.model, calling.call, failure)) sendAgain(calling, failure, 0)
  else {
    const next = waitBefore(calling, failure)
    if (typeof next === 'number') sendAgain(calling, failure, next)
    else giveUp(calling, failure, next)
  }
}

/** How long to wait before the same request, or why it is not sent again: words for behind the failure. */
const waitBefore = (calling: Calling, { retryable, status, retryAfterMs }: ModelFailure): number | string => {
  if (!retryable) return ''
  const { options, model, tries } = calling
  calling.backoffMs = nextBackoff(calling.backoffMs, options.random)
  const ms = retryAfterMs ?? calling.backoffMs
  if (ms > PAUSE_MAX_MS)
    return `; it asks to wait ${seconds(ms)}, and no call waits longer than ${seconds(PAUSE_MAX_MS)}`
  if (!fits(calling, ms)) return `; a wait of ${seconds(ms)} would go past the agent's deadline`
  const concernsAll = status === 429 || retryAfterMs !== null
  if (concernsAll) options.cooldown.pause(providerKey(model), options.clock.now(), ms)
  if (tries > model.maxRetries) return tries > 1 ? ` (tried ${tries} times)` : ''
  return concernsAll ? ms + spread(calling, ms) : ms
}

const sendAgain = (calling: Calling, { message }: ModelFailure, ms: number): void => {
  const { sink, model, tries } = calling
  sink.retrying({ message: `${message}; retry ${tries} of ${model.maxRetries} in ${seconds(ms)}` })
  wait(calling, ms, () => begin(calling))
}

const giveUp = (calling: Calling, failure: ModelFailure, why: string): void => {
  const { sink, call, place } = calling
  const message = `${calling.past}${failure.message}${why}`
  const next = call.fallbacks[place]
  if (next === undefined || !mayFallBack(failure, place)) {
    sink.failed({ ...failure, message })
    return
  }
  sink.retrying({ message: `${failure.message}${why}; trying model "${next.name}"` })
  Object.assign(calling, { model: next, place: place + 1, tries: 0, backoffMs: 0, heldMs: 0, past: `${message}; ` })
  if (sink.mayStart()) begin(calling)
}

/** What the request itself is to blame for would fail elsewhere too, and a missing variable must not go unseen. */
const mayFallBack = ({ code, status }: ModelFailure, place: number): boolean =>
  !REQUEST_FAULTS.has(status) && (code === 'MODEL_FAILED' || place > 0)

const REQUEST_FAULTS = new Set<number | null>([400, 413, 422])

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`
