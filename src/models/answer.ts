import { createAssembly } from './assemble-reply.ts'
import { CUT_SHORT, EMPTY_ANSWER, httpWords, NO_MESSAGE, notJsonWords } from './failure.ts'
import type { ModelReply } from './port.ts'
import { type ChunkListener, readEvent, readJson } from './read-event.ts'
import { createEventFeed } from './server-sent-events.ts'

export interface Answer {
  head(status: number): void
  piece(text: string): void
  /** The connection has brought all it will. */
  end(): void
  /** What the answer came to, in words if it failed. `broken` says why its connection ended early, if it did. */
  outcome(broken: string | null): ModelReply | string
}

interface AnswerListener {
  text(delta: string): void
  /** Nothing that follows can change the outcome. */
  settled(): void
}

/** A stream of events, one JSON body (some servers send it whatever they were asked), or the words of a refusal. */
type Kind = 'unknown' | 'events' | 'whole' | 'refusal'

/** Characters of a refusal that are read. */
const REFUSAL_MAX = 64 * 1024

/** Reads one answer, whatever kind it turns out to be. */
export const createAnswer = (listener: AnswerListener): Answer => {
  let kind: Kind = 'unknown'
  let status = 0
  let held = ''
  const { chunks, verdict } = createVerdict(listener)
  const feed = createEventFeed((data, name) => readEvent(data, name, chunks))

  const hold = (text: string): void => {
    held += text
    if (kind === 'refusal' && held.length > REFUSAL_MAX) listener.settled()
    if (kind !== 'unknown') return
    kind = kindOf(held)
    if (kind !== 'events') return
    feed.feed(held)
    held = ''
  }

  return {
    head: (code) => {
      status = code
      if (code < 200 || code > 299) kind = 'refusal'
    },
    piece: (text) => {
      if (kind === 'events') feed.feed(text)
      else hold(text)
    },
    end: () => {
      if (kind === 'events') feed.end()
      else if (kind === 'whole' && !readJson(held, chunks)) chunks.fault(notJsonWords(held))
    },
    outcome: (broken) =>
      kind === 'refusal' ? httpWords(status, held) : (verdict(kind === 'whole') ?? broken ?? INCOMPLETE[kind]),
  }
}

const INCOMPLETE = { unknown: EMPTY_ANSWER, events: CUT_SHORT, whole: NO_MESSAGE }

/** No line of an event stream begins with a bracket. What the header says is no help: some servers label JSON as events. */
const kindOf = (text: string): Kind => {
  const first = text.trimStart().charAt(0)
  if (first === '') return 'unknown'
  return first === '{' || first === '[' ? 'whole' : 'events'
}

interface Verdict {
  readonly chunks: ChunkListener
  /** The reply, or the provider's own error in words, or `null` while neither is complete. */
  verdict(isWhole: boolean): ModelReply | string | null
}

const createVerdict = ({ text, settled }: AnswerListener): Verdict => {
  const assembly = createAssembly(text)
  let done = false
  let fault: string | null = null
  const chunks: ChunkListener = {
    chunk: (chunk) => {
      if (!done && fault === null) assembly.add(chunk)
    },
    fault: (words) => {
      // A provider that has said why it stopped has answered, whatever breaks afterwards.
      if (done || fault !== null || assembly.finished()) return
      fault = words
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
