import type { ToolCall } from '../contract/messages.ts'

const same = (a: ToolCall, b: ToolCall): boolean =>
  a.id === b.id && a.name === b.name && a.invalid === b.invalid && JSON.stringify(a.args) === JSON.stringify(b.args)

/**
 * Gives every call an id of its own within the agent. An exact replay inside one response is dropped; any other call
 * whose id was seen before gets `_2`, `_3`, ... Adds the new ids to `seen`.
 */
export const uniqueCalls = (calls: readonly ToolCall[], seen: Set<string>): readonly ToolCall[] => {
  if (calls.length === 1 && calls[0] && !seen.has(calls[0].id)) {
    seen.add(calls[0].id)
    return calls
  }
  const fresh = calls.filter((call, i) => !calls.slice(0, i).some((earlier) => same(earlier, call)))
  return fresh.map((call) => {
    let id = call.id
    for (let n = 2; seen.has(id); n++) id = `${call.id}_${n}`
    seen.add(id)
    return id === call.id ? call : { ...call, id }
  })
}
