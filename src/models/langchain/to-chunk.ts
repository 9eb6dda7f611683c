import { isRecord } from '../../contract/is-record.ts'
import type { Usage } from '../../contract/messages.ts'
import { readUsage } from '../usage.ts'
import type { WireChunk, WireToolCall } from '../wire.ts'

/** What a chunk of a LangChain stream, or a message sent whole, may hold. */
interface LangChainChunk {
  readonly id?: unknown
  readonly content?: unknown
  readonly tool_call_chunks?: unknown
  readonly tool_calls?: unknown
  readonly invalid_tool_calls?: unknown
  readonly usage_metadata?: unknown
  readonly response_metadata?: unknown
  readonly additional_kwargs?: unknown
}

interface LangChainCall {
  readonly index?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly args?: unknown
}

/** A chunk of LangChain's as one of the wire, so that its pieces are put together by our rules and not by LangChain's. */
export const toChunk = (chunk: LangChainChunk): WireChunk => {
  const extra = recordOf(chunk.additional_kwargs)
  const delta = { content: chunk.content, tool_calls: callsOf(chunk), reasoning_content: extra['reasoning_content'] }
  const metadata = recordOf(chunk.response_metadata)
  const finish = FINISH_FIELDS.map((field) => metadata[field] ?? extra[field]).find((word) => typeof word === 'string')
  return { id: chunk.id, choices: [{ delta, finish_reason: finish ?? null }] }
}

/** Where each provider's package leaves the word for the end. */
const FINISH_FIELDS = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']

/** Each chunk counts what is new in it. */
export const usageOf = ({ usage_metadata }: LangChainChunk): Usage | null => readUsage(usage_metadata)

/** Pieces of calls where the model streams, else whole calls. Those that LangChain could not read are calls all the same. */
const callsOf = (chunk: LangChainChunk): readonly WireToolCall[] => {
  const pieces = listOf(chunk.tool_call_chunks)
  if (pieces.length > 0) return pieces.map(toWireCall)
  return [...listOf(chunk.tool_calls), ...listOf(chunk.invalid_tool_calls)].map(toWireCall)
}

const toWireCall = ({ index, id, name, args }: LangChainCall): WireToolCall => ({
  index,
  id,
  function: { name, arguments: args },
})

const listOf = (value: unknown): readonly LangChainCall[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
