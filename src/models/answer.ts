import { type Assembly, createAssembly } from './assemble-reply.ts'
import { CUT_SHORT, EMPTY_ANSWER, type Fault, httpFault, NO_MESSAGE, notJsonFault, WEB_PAGE } from './failure.ts'
import type { ModelReply } from './port.ts'
import { type ChunkListener, readEvent, readJson } from './read-event.ts'
import type { ReadHeader } from './retry-after.ts'
import { createEventFeed } from './server-sent-events.ts'

export interface Answer {
  head(status: number, header: ReadHeader): void
  /** Returns whether the piece brought the answer on, and did not only keep the line open. */
  piece(text: string): boolean
  /** The connection has brought all it will. */
  end(): void
  /** What the answer came to. `broken` says why its connection ended early, if it did. */
  outcome(broken: Fault | null): ModelReply | Fault
}

interface AnswerListener {
  text(delta: string): void
  /** Nothing that follows can change the outcome. */
  settled(): void
}

export const isFault = (outcome: ModelReply | Fault): outcome is Fault => 'words' in outcome

/** A stream of events, one JSON body (some servers send it whatever they were asked), a web page, or the words of a refusal. */
type Kind = 'unknown' | 'events' | 'whole' | 'page' | 'refusal'

/** Characters of a refusal that are read. */
const REFUSAL_MAX = 64 * 1024

const noHeader: ReadHeader = () => undefined

/** Reads one answer, whatever kind it turns out to be. */
export const createAnswer = (listener: AnswerListener, assembly = createAssembly(listener.text)): Answer => {
  let kind: Kind = 'unknown'
  let status = 0
  let header = noHeader
  let held = ''
  const { chunks, verdict } = createVerdict(listener, assembly)
  const feed = createEventFeed((data, name) => readEvent(data, name, chunks))

  const hold = (text: string): boolean => {
    held += text
    if (kind === 'refusal' && held.length > REFUSAL_MAX) listener.settled()
    if (kind === 'unknown') kind = kindOf(held)
    if (kind !== 'events') return kind !== 'unknown'
    const first = held
    held = ''
    return feed.feed(first)
  }

  return {
    head: (code, read) => {
      status = code
      if (code >= 200 && code <= 299) return
      kind = 'refusal'
      header = read
    },
    piece: (text) => (kind === 'events' ? feed.feed(text) : hold(text)),
    end: () => {
      if (kind === 'events') feed.end()
      else if (kind === 'whole' && !readJson(held, chunks)) chunks.fault(notJsonFault(held))
    },
    outcome: (broken) =>
      kind === 'refusal'
        ? httpFault(status, held, header, Date.now())
        : (verdict(kind === 'whole') ?? broken ?? INCOMPLETE[kind]),
  }
}

const INCOMPLETE = { unknown: EMPTY_ANSWER, events: CUT_SHORT, whole: NO_MESSAGE, page: WEB_PAGE }

/** No line of an event stream begins with a bracket. What the header says is no help: some servers label JSON as events. */
const kindOf = (text: string): Kind => {
  const first = text.trimStart().charAt(0)
  if (first === '') return 'unknown'
  if (first === '<') return 'page'
  return first === '{' || first === '[' ? 'whole' : 'events'
}

interface Verdict {
  readonly chunks: ChunkListener
  /** The reply, or what went wrong by the provider's own word, or `null` while neither is complete. */
  verdict(isWhole: boolean): ModelReply | Fault | null
}

const createVerdict = ({ settled }: AnswerListener, assembly: Assembly): Verdict => {
  let done = false
  let fault: Fault | null = null
  const chunks: ChunkListener = {
    chunk: (chunk) => {
      if (!done && fault === null) assembly.add(chunk)
    },
    fault: (found) => {
      // A provider that has said why it stopped has answered, whatever breaks afterwards.
      if (done || fault !== null || assembly.finished()) return
      fault = found
      settled()
    },
    done: () => {
      done = true
      settled()
    },
  }
  const isComplete = (isWhole: boolean) => assembly.finished() || done || (isWhole && assembly.begun())
  return { chunks, verdict: (isWhole) => fault ?? (isComplete(isWhole) ? assembly.reply() : null) }
}
