import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../contract/messages.ts'
import { head, isBlank } from './bound.ts'

/** What a provider is told of a call that never got its result. Source: contract/runtime §12.2. */
export const INTERRUPTED = '[Tool call was interrupted and did not return a result.]'
const INVALID = '[Tool call could not be executed because its arguments were invalid: {why}]'
const WHY_MAX = 500

/**
 * A transcript as strict providers take it: behind every turn with calls exactly one result for each, in their order;
 * ids that are there and differ within the turn; no assistant message that is empty. Whatever was interrupted, lost or
 * came late is put right; a transcript that is in order comes back as it is.
 */
export const repairTranscript = (messages: readonly Message[]): readonly Message[] =>
  isSound(messages) ? messages : rebuild(messages)

const isSound = (messages: readonly Message[]): boolean => {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]
    if (message?.role === 'tool') return false
    if (message?.role !== 'assistant') continue
    const { toolCalls } = message
    if (toolCalls.length === 0 ? isBlank(message.content) : !isAnswered(toolCalls, messages, i + 1)) return false
    i += toolCalls.length
  }
  return true
}

// Every request asks this of every turn there was: a loop without closures.
const isAnswered = (calls: readonly ToolCall[], messages: readonly Message[], from: number): boolean => {
  for (let place = 0; place < calls.length; place++) {
    const call = calls[place]
    const answer = messages[from + place]
    if (!call || call.id === '' || call.name === '') return false
    if (answer?.role !== 'tool' || answer.toolCallId !== call.id) return false
    if (place > 0 && calls.findIndex(({ id }) => id === call.id) < place) return false
  }
  return true
}

/** A turn with calls, as it will be sent, and the results found for them so far. */
interface Turn {
  readonly message: AssistantMessage
  /** The ids as the transcript has them, by which results are found. */
  readonly ids: readonly string[]
  readonly results: (ToolMessage | undefined)[]
}

const rebuild = (messages: readonly Message[]): readonly Message[] => {
  const entries: (Message | Turn)[] = []
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'tool') place(turns, message)
    else if (message.role === 'user' || message.toolCalls.length === 0) {
      if (message.role === 'user' || !isBlank(message.content)) entries.push(message)
    } else {
      const turn = openTurn(message, turns.length)
      turns.push(turn)
      entries.push(turn)
    }
  }
  return entries.flatMap((entry) => ('results' in entry ? closeTurn(entry) : entry))
}

const openTurn = (message: AssistantMessage, index: number): Turn => {
  const used = new Set<string>()
  const toolCalls = message.toolCalls.map((call, position) => {
    const wanted = call.id === '' ? `call_${index + 1}_${position + 1}` : call.id
    let id = wanted
    for (let n = 2; used.has(id); n++) id = `${wanted}_${n}`
    used.add(id)
    const name = call.name === '' ? 'unnamed' : call.name
    return id === call.id && name === call.name ? call : { ...call, id, name }
  })
  const ids = message.toolCalls.map(({ id }) => id)
  return { message: { ...message, toolCalls }, ids, results: new Array(ids.length).fill(undefined) }
}

/** A result belongs to the latest turn if that still waits for it, else to the oldest that does, else to nobody. */
const place = (turns: readonly Turn[], result: ToolMessage): void => {
  const last = turns.at(-1)
  for (const turn of last ? [last, ...turns] : []) {
    const open = turn.ids.findIndex((id, i) => id === result.toolCallId && turn.results[i] === undefined)
    if (open === -1) continue
    turn.results[open] = result
    return
  }
}

const closeTurn = ({ message, results }: Turn): readonly Message[] => [
  message,
  ...message.toolCalls.map((call, i) => {
    const result = results[i]
    if (result === undefined) return standIn(call)
    return result.toolCallId === call.id ? result : { ...result, toolCallId: call.id }
  }),
]

const standIn = ({ id, name, invalid }: ToolCall): ToolMessage => ({
  role: 'tool',
  id: `${id}_interrupted`,
  toolCallId: id,
  name,
  content: invalid === undefined ? INTERRUPTED : INVALID.replace('{why}', () => head(invalid, WHY_MAX)),
  status: 'error',
})
