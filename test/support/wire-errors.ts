/// <reference lib="es2024.string" />

interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly {
    readonly id?: unknown
    readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
  }[]
  readonly tool_call_id?: unknown
}

/** What a strict provider would refuse in the messages of a request. */
export const wireErrors = (messages: readonly WireMessage[]): readonly string[] => {
  const errors: string[] = []
  const systems = messages.map(({ role }, i) => (role === 'system' ? i : -1)).filter((i) => i >= 0)
  if (systems.join() !== '0') errors.push(`system messages at ${systems}`)
  if (!JSON.stringify(messages).isWellFormed()) errors.push('half a character')
  let open: string[] = []
  for (const [i, message] of [...messages, { role: 'end' }].entries()) {
    if (message.role === 'tool') {
      errors.push(...resultErrors(message, open.shift(), i))
      continue
    }
    if (open.length > 0) errors.push(`${i}: ${open.join()} not answered at once`)
    open = message.role === 'assistant' ? openCalls(message, i, errors) : []
  }
  return errors
}

const resultErrors = ({ content, tool_call_id: id }: WireMessage, wanted: string | undefined, i: number): string[] => [
  ...(typeof content === 'string' ? [] : [`${i}: the content of a result is no text`]),
  ...(id === wanted ? [] : [`${i}: ${id} answers no call, or not in its turn`]),
]

const openCalls = ({ content, tool_calls: calls }: WireMessage, i: number, errors: string[]): string[] => {
  if (!calls && String(content ?? '').trim() === '') errors.push(`${i}: an empty assistant message`)
  if (calls?.length === 0) errors.push(`${i}: an empty list of calls`)
  const ids = (calls ?? []).map(({ id, function: fn }) => {
    if (typeof id !== 'string' || id === '') errors.push(`${i}: a call without an id`)
    if (typeof fn?.name !== 'string' || fn.name === '') errors.push(`${i}: a call without a name`)
    if (!isJsonObject(fn?.arguments)) errors.push(`${i}: arguments that are no JSON object`)
    return String(id)
  })
  if (new Set(ids).size < ids.length) errors.push(`${i}: two calls with one id`)
  return ids
}

const isJsonObject = (text: unknown): boolean => {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
