/// <reference lib="es2024.string" />
import { randomUUID } from 'node:crypto'
import type { Reasoning } from '../contract/messages.ts'
import { textOfContent } from './content-text.ts'
import { endingOf } from './finish-reason.ts'
import type { ModelReply } from './port.ts'
import { finishToolCalls, mergeToolCalls, type OpenCall } from './tool-calls.ts'
import { readUsage } from './usage.ts'
import type { WireChoice, WireChunk, WireMessage } from './wire.ts'

export interface Assembly {
  /** Adds one chunk of a stream, or an answer sent whole. */
  add(chunk: WireChunk): void
  /** Whether any choice came, however empty. */
  begun(): boolean
  /** Whether the provider has said why it stopped, so that what follows can only be usage. */
  finished(): boolean
  reply(): ModelReply
}

/** Puts one reply together from its chunks; `onText` hears each piece of text as it comes. */
export const createAssembly = (onText: (delta: string) => void): Assembly => {
  const calls: OpenCall[] = []
  // Added up piece by piece, a string stays a rope of its tokens, ten times as large, for as long as it is kept.
  const texts: string[] = []
  const thoughts: string[] = []
  let thoughtField: Reasoning['field'] = 'reasoning_content'
  let refusal = ''
  let id = ''
  let finishReason: string | null = null
  let usage: unknown = null
  let begun = false

  const addText = (piece: string): void => {
    if (piece === '') return
    texts.push(piece)
    onText(piece)
  }

  /** Some servers send both names with the same words. */
  const addThought = (message: WireMessage): void => {
    const field = message.reasoning_content ? 'reasoning_content' : 'reasoning'
    const piece = message[field]
    if (typeof piece !== 'string' || piece === '') return
    thoughtField = field
    thoughts.push(piece)
  }

  const addMessage = (message: WireMessage): void => {
    const { content, tool_calls: deltas } = message
    if (content) addText(typeof content === 'string' ? content : textOfContent(content))
    if (Array.isArray(deltas)) mergeToolCalls(calls, deltas)
    if (typeof message.refusal === 'string') refusal += message.refusal
    addThought(message)
  }

  const addChoice = (choice: WireChoice): void => {
    begun = true
    const message = choice.delta ?? choice.message
    if (message) addMessage(message)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') finishReason = choice.finish_reason
    if (choice.usage) usage = choice.usage
  }

  return {
    add: (chunk) => {
      if (id === '' && typeof chunk.id === 'string') id = chunk.id
      // Some servers count in every chunk, always from the start: the last record is the whole.
      if (chunk.usage) usage = chunk.usage
      const choice = chunk.choices?.[0]
      if (choice) addChoice(choice)
    },
    begun: () => begun,
    finished: () => finishReason !== null,
    reply: () => ({
      id: id === '' ? randomUUID() : id,
      text: texts.join('').toWellFormed(),
      toolCalls: finishToolCalls(calls, endingOf(finishReason) === 'limit'),
      finishReason,
      refusal: refusal.toWellFormed(),
      reasoning: thoughts.length === 0 ? null : { field: thoughtField, text: thoughts.join('').toWellFormed() },
      usage: readUsage(usage),
      incomplete: null,
    }),
  }
}
