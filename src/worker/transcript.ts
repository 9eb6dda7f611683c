import { createHash } from 'node:crypto'
import type { LedgerRow, Recalled, ThreadEntry } from '../contract/conversation.ts'
import type { AgentEnvelope, DelegationAsk, TaskOutcome } from '../contract/envelopes.ts'
import type { Message, ToolMessage } from '../contract/messages.ts'
import { summarySection } from '../policy/durable-context.ts'
import { closeRow, mergeRow, openRow, renderLedger } from '../policy/ledger.ts'
import { lastNumber, restoreTranscript } from '../policy/restore-transcript.ts'
import { type Agent, tell } from './agent.ts'

/** What an agent begins with: its prompt, behind what earlier runs of its conversation have left. */
export const openTranscript = ({
  conversation,
  prompt,
}: AgentEnvelope): Pick<Agent, 'transcript' | 'callIds' | 'messages' | 'summary' | 'ledger'> & {
  readonly madeUp: readonly ToolMessage[]
  readonly unreadable: number
} => {
  const restored = restoreTranscript(historyOf(conversation), conversation?.ledger ?? [])
  const { messages, summary, madeUp, unreadable } = restored
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
  return {
    transcript: [...messages, { role: 'user', content: prompt }],
    callIds: new Set(calls.map(({ id }) => id)),
    messages: lastNumber(messages),
    summary,
    ledger: conversation?.ledger ?? [],
    madeUp,
    unreadable,
  }
}

const historyOf = (conversation: Recalled | null): string => {
  if (!conversation) return ''
  const { buffer, byteOffset, byteLength } = conversation.history
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}

/** Gives what a lead's conversation comes to, to the host, to be kept for the next run. A subagent leaves nothing behind. */
export const remember = (agent: Agent, entry: ThreadEntry): void => {
  if (agent.envelope.conversation !== null) tell(agent, { kind: 'remember', entry: JSON.stringify(entry) })
}

export const addMessage = (agent: Agent, message: Message): void => {
  agent.transcript.push(message)
  remember(agent, { message })
}

/** Puts a summary in the place of what came first. In place: whoever holds the transcript sees the shorter one. */
export const shortenTranscript = (agent: Agent, summary: string, kept: readonly Message[]): void => {
  agent.summary = summary
  agent.transcript.splice(0, agent.transcript.length, ...kept)
  remember(agent, { summary, messages: kept })
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Notes what a delegation came to. The host keeps rows of its own, for the runs to come. */
export const noteDelegation = (agent: Agent, ask: DelegationAsk, outcome: TaskOutcome): void => {
  const row = openRow({
    id: ask.callId,
    run_id: agent.envelope.runId,
    description: ask.description,
    subagent_type: ask.subagentType,
    created_at: new Date().toISOString(),
  })
  agent.ledger = mergeRow(agent.ledger, closeRow(row, outcome, sha256))
}

/**
 * What outlives the transcript, for the next request: a summary, and the delegations of earlier runs. Of its own the lead
 * is told those whose result the transcript no longer shows.
 */
export const durableSections = ({ ledger, summary, transcript, envelope: { runId } }: Agent): readonly string[] => {
  const isShown = (row: LedgerRow): boolean =>
    row.run_id === runId && transcript.some((message) => message.role === 'tool' && message.toolCallId === row.id)
  const rows = renderLedger(ledger.filter((row) => !isShown(row)))
  return [...(summary === null ? [] : [summarySection(summary)]), ...(rows === '' ? [] : [rows])]
}
