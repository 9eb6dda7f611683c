import type { After, ToolReply, ToolRequest } from '../contract/tool-frames.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { failureOf } from '../policy/tool-outcome.ts'
import { openChannel } from './channel.ts'
import { describe } from './describe.ts'
import { asOwner, watchFaults } from './faults.ts'
import { goHome } from './home.ts'
import { openResources, whenTidy } from './leftovers.ts'
import { boundOutput, refillOutput } from './output.ts'
import { perform } from './perform.ts'
import { told } from './told.ts'

type Work = Exclude<ToolRequest, { type: 'abort' }>

/** The one call that runs here, until the process is free for the next. */
interface Current {
  readonly id: number
  readonly controller: AbortController
  readonly before: number
  answered: boolean
  /** Answers for a call that an uncaught exception ended. */
  fail(thrown: unknown): void
}

let current: Current | null = null

const receive = (request: ToolRequest, body: string): void => {
  if (request.type !== 'abort') begin(request, body)
  else if (current?.id === request.id) current.controller.abort(reasonFor(request.why))
}

const reasonFor = (why: 'cancelled' | 'timed_out'): DOMException =>
  why === 'cancelled'
    ? new DOMException('The call was cancelled', 'AbortError')
    : new DOMException('The call took too long', 'TimeoutError')

const send = openChannel(receive)

const begin = (request: Work, body: string): void => {
  refillOutput()
  goHome()
  const call: Current = {
    id: request.id,
    controller: new AbortController(),
    before: openResources(),
    answered: false,
    fail: () => {},
  }
  current = call
  if (request.type === 'call') runCall(call, request, body)
  else readModule(call, request)
}

const runCall = (call: Current, request: Extract<Work, { type: 'call' }>, body: string): void => {
  const answer = ({ content, ...rest }: ToolOutcome, broken: boolean): void =>
    settle(call, broken, (after) => send({ ...rest, type: 'done', id: call.id, after }, content))
  call.fail = (thrown) => answer(failureOf(request.tool, thrown), true)
  void asOwner({ id: call.id, tool: request.tool }, () => perform(request, body, call.controller.signal)).then(
    (outcome) => answer(outcome, false),
  )
}

const readModule = (call: Current, { of, module }: Extract<Work, { type: 'describe' }>): void => {
  const answer = (result: Extract<ToolReply, { type: 'described' }>['result'], broken: boolean): void =>
    settle(call, broken, (after) => send({ type: 'described', id: call.id, result, after }))
  call.fail = (thrown) => answer({ ok: false, error: told(thrown) }, true)
  void asOwner({ id: call.id, tool: module.export }, () => describe[of](module)).then((result) => answer(result, false))
}

/** Answers a call once, and says what the process is good for now. */
const settle = (call: Current, broken: boolean, answer: (after: After) => void): void => {
  if (call.answered) return
  call.answered = true
  const busy = call.controller.signal.aborted && openResources() > call.before
  answer({ state: broken ? 'broken' : busy ? 'busy' : 'free', rss: process.memoryUsage.rss() })
  if (busy) whenTidy(call.before, () => release(call))
  else current = null
}

const release = (call: Current): void => {
  current = null
  send({ type: 'free', id: call.id, rss: process.memoryUsage.rss() })
}

let strayed = false

boundOutput()
watchFaults((thrown, owner) => {
  // Without an owner it came out of native code: then it belongs to what runs.
  if (current && !current.answered && (owner === undefined || owner.id === current.id)) current.fail(thrown)
  // After the first this process gets no further call, and there may be thousands a second.
  else if (!strayed) send({ type: 'stray', tool: owner?.tool ?? null, detail: told(thrown) })
  strayed = true
})
send({ type: 'ready' })
