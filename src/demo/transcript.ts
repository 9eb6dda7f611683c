import type { ScriptedBody } from '../testing/scripted-model.ts'
import type { Round, ToolResult } from './plan.ts'

type WireMessage = NonNullable<ScriptedBody['messages']>[number]

/** What a request says about the agent that sent it. */
export interface Transcript {
  readonly task: string
  readonly tools: ReadonlySet<string>
  readonly rounds: readonly Round[]
}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { readonly text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

const callIds = (message: WireMessage): readonly string[] =>
  Array.isArray(message.tool_calls) ? message.tool_calls.map((call: { readonly id?: unknown }) => String(call.id)) : []

const resultOf = (message: WireMessage): ToolResult => {
  const content = textOf(message.content)
  return { ok: !content.startsWith('Error'), content }
}

// An answer without calls ended an earlier run of the same conversation.
const currentRun = (messages: readonly WireMessage[]): readonly WireMessage[] => {
  const last = messages.findLastIndex((message) => message.role === 'assistant' && callIds(message).length === 0)
  return messages.slice(last + 1)
}

export const readTranscript = (body: ScriptedBody | null): Transcript => {
  const messages = currentRun(body?.messages ?? [])
  const results = new Map(
    messages.filter(({ role }) => role === 'tool').map((message) => [message.tool_call_id ?? '', resultOf(message)]),
  )
  const rounds = messages
    .filter(({ role }) => role === 'assistant')
    .map(
      (message) =>
        new Map(
          callIds(message).flatMap((id) => (results.has(id) ? [[id, results.get(id) as ToolResult] as const] : [])),
        ),
    )
  return {
    task: textOf(messages.find(({ role }) => role === 'user')?.content),
    tools: new Set((body?.tools ?? []).map((tool) => tool.function.name)),
    rounds,
  }
}
