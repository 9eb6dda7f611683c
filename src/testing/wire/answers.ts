import type { ScriptedCall, ScriptedReply } from '../scripted-reply.ts'

const USAGE = { input: 100, output: 10 }

const usageOf = ({ usage = USAGE }: ScriptedReply): object | undefined =>
  usage === null
    ? undefined
    : { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output }

const wireCall = (call: ScriptedCall, place: number) => ({
  id: call.id ?? `call_${place + 1}`,
  type: 'function',
  function: { name: call.name, arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args) },
})

const finishOf = ({ finishReason, toolCalls = [] }: ScriptedReply): string =>
  finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')

/** The answer sent whole, as to a request without `stream`. */
export const wholeAnswer = (reply: ScriptedReply, model: unknown, id: string): object => {
  const { text, toolCalls = [] } = reply
  const calls = toolCalls.length > 0 ? { tool_calls: toolCalls.map(wireCall) } : {}
  const message = { role: 'assistant', content: text ?? (toolCalls.length > 0 ? null : ''), ...calls }
  const choices = [{ index: 0, message, finish_reason: finishOf(reply) }]
  return { id, object: 'chat.completion', created: 0, model, choices, usage: usageOf(reply) }
}

/** The answer as the events of a stream, `[DONE]` included. */
export const streamedAnswer = (reply: ScriptedReply, model: unknown, id: string, withUsage: boolean): string[] => {
  const { text = '', toolCalls = [], chunks = 1 } = reply
  const head = { id, object: 'chat.completion.chunk', created: 0, model }
  const event = (fields: object): string => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`
  const delta = (fields: object, reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: reason }] })

  const callEvents = toolCalls.map(wireCall).flatMap(({ function: fn, ...rest }, index) => {
    const opening = { index, ...rest, function: { name: fn.name, arguments: '' } }
    const pieces = cut(fn.arguments, chunks).map((piece) => ({ index, function: { arguments: piece } }))
    return [opening, ...pieces].map((part) => delta({ tool_calls: [part] }))
  })
  const usage = withUsage ? usageOf(reply) : undefined
  return [
    delta({ role: 'assistant', content: '' }),
    ...cut(text, chunks).map((content) => delta({ content })),
    ...callEvents,
    delta({}, finishOf(reply)),
    ...(usage === undefined ? [] : [event({ choices: [], usage })]),
    'data: [DONE]\n\n',
  ]
}

/** At most so many pieces of about one length, none of which ends in half a character. */
const cut = (text: string, pieces: number): string[] => {
  const characters = Array.from(text)
  const size = Math.max(1, Math.ceil(characters.length / pieces))
  const list: string[] = []
  for (let i = 0; i < characters.length; i += size) list.push(characters.slice(i, i + size).join(''))
  return list
}
