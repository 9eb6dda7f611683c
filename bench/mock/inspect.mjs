/** Parses one request: keeps its shape and a sample, and notes where the fast reading was wrong. */
export function inspectBody(tally, request, raw) {
  const body = JSON.parse(raw)
  const results = body.messages.filter(({ role }) => role === 'tool')
  if (results.length !== request.results || (body.model === 'lead') !== request.lead)
    tally.wrong.push(`read as ${JSON.stringify(request)}: ${raw.subarray(0, 200)}`)
  const asked = body.messages.flatMap((m) => m.tool_calls ?? []).map(({ id }) => id)
  const answered = results.map((m) => m.tool_call_id)
  if (asked.join() !== answered.join()) tally.wrong.push(`calls ${asked} answered by ${answered}`)
  tally.shapes.add(shape(body))
  tally.samples[body.model] ??= {
    system: body.messages
      .filter(({ role }) => role === 'system')
      .map(text)
      .join('\n\n'),
    tools: body.tools ?? [],
  }
}

const text = ({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text).join(''))

const shape = ({ model, stream, messages, tools = [] }) =>
  [
    model,
    stream ? 'streamed' : 'whole',
    messages.map(({ role, tool_calls: calls }) => role[0] + (calls?.length ?? '')).join(' '),
    tools
      .map((t) => t.function.name)
      .sort()
      .join(' '),
  ].join(' | ')
