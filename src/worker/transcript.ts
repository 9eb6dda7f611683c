import type { Message } from '../contract/messages.ts'
import { summarySection } from '../policy/durable-context.ts'
import type { Agent } from './agent.ts'

export const addMessage = (agent: Agent, message: Message): void => void agent.transcript.push(message)

/** Puts a summary in the place of what came first. In place: whoever holds the transcript sees the shorter one. */
export const shortenTranscript = (agent: Agent, summary: string, kept: readonly Message[]): void => {
  agent.summary = summary
  agent.transcript.splice(0, agent.transcript.length, ...kept)
}

/** What outlives the transcript, for the next request. */
export const durableSections = ({ summary }: Agent): readonly string[] =>
  summary === null ? [] : [summarySection(summary)]
