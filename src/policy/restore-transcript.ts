import type { LedgerRow } from '../contract/conversation.ts'
import type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from '../contract/messages.ts'
import { taskMessage } from './delegation-result.ts'
import { INTERRUPTED } from './repair-transcript.ts'
import { entryOf } from './thread-entry.ts'

export interface Restored {
  readonly messages: readonly Message[]
  /** What stands for the messages that are no longer there. */
  readonly summary: string | null
  /** Answers made up for calls that never got theirs. They are among `messages`, and belong to the history from now on. */
  readonly madeUp: readonly ToolMessage[]
  /** Lines that could not be read, and are left out. */
  readonly unreadable: number
}

/** An answer of the model with the results of its calls, which came in any order. */
interface Turn {
  readonly answer: AssistantMessage
  readonly results: Map<string, ToolMessage>
}

const isTurn = (item: UserMessage | Turn): item is Turn => 'answer' in item

const add = (items: (UserMessage | Turn)[], message: Message): void => {
  if (message.role === 'user') items.push(message)
  else if (message.role === 'assistant') items.push({ answer: message, results: new Map() })
  else {
    const isOpen = (item: UserMessage | Turn): boolean =>
      isTurn(item) &&
      item.answer.toolCalls.some(({ id }) => id === message.toolCallId) &&
      !item.results.has(message.toolCallId)
    const turn = items.findLast(isOpen)
    if (turn && isTurn(turn)) turn.results.set(message.toolCallId, message)
  }
}

/** What became of a delegation whose lead was not there to hear it. */
const told = ({ status, stop_reason: stopReason, result_brief, partial_brief }: LedgerRow): string | null => {
  if (status === 'in_progress' || status === 'polling_timed_out') return null
  const completed = status === 'completed'
  return taskMessage({
    status,
    stopReason,
    result: completed ? (result_brief ?? '') : '',
    error: completed ? '' : (result_brief ?? ''),
    partialText: partial_brief ?? '',
    modelName: null,
    usage: null,
    resultSha256: '',
  })
}

const numberOf = (message: Message): number => {
  const [, digits = '0'] = (message.role !== 'user' && /^m(\d+)$/.exec(message.id)) || []
  return Number(digits)
}

/** The number of the last message, so that new ones are numbered on. */
export const lastNumber = (messages: readonly Message[]): number =>
  messages.reduce((last, message) => Math.max(last, numberOf(message)), 0)

/** What the entries come to, with every result at its call. */
const replay = (
  history: string,
): Pick<Restored, 'summary' | 'unreadable'> & { readonly items: readonly (UserMessage | Turn)[] } => {
  let summary: string | null = null
  let unreadable = 0
  let items: (UserMessage | Turn)[] = []
  for (const line of history.split('\n')) {
    if (line === '') continue
    const entry = entryOf(line)
    if (!entry) {
      unreadable++
      continue
    }
    const compacted = 'messages' in entry
    if (compacted) {
      summary = entry.summary
      items = []
    }
    for (const message of compacted ? entry.messages : [entry.message]) add(items, message)
  }
  return { items, summary, unreadable }
}

const made = (call: ToolCall, row: LedgerRow | undefined, number: number): ToolMessage => ({
  role: 'tool',
  id: `m${number}`,
  toolCallId: call.id,
  name: call.name,
  content: (row && told(row)) ?? INTERRUPTED,
  status: row?.status === 'completed' ? 'success' : 'error',
})

/**
 * The transcript of a conversation as the next run sends it. Valid for the strictest provider, whatever had interrupted
 * the runs before: every call has one result, behind its answer and in the order of the calls. A call without one is
 * answered by what the ledger knows of it, else as interrupted; a result without a call is left out.
 */
export const restoreTranscript = (history: string, ledger: readonly LedgerRow[]): Restored => {
  const { items, summary, unreadable } = replay(history)
  const madeUp: ToolMessage[] = []
  let last = lastNumber(items.flatMap((item) => (isTurn(item) ? [item.answer, ...item.results.values()] : [])))
  const makeUp = (call: ToolCall): ToolMessage => {
    const row = call.name === 'task' ? ledger.findLast(({ id }) => id === call.id) : undefined
    const message = made(call, row, ++last)
    madeUp.push(message)
    return message
  }
  const messages = items.flatMap((item): Message[] =>
    isTurn(item)
      ? [item.answer, ...item.answer.toolCalls.map((call) => item.results.get(call.id) ?? makeUp(call))]
      : [item],
  )
  return { messages, summary, madeUp, unreadable }
}
