import * as assert from 'uvu/assert'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'

interface WireMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_call_id?: unknown
  readonly tool_calls?: unknown
}

const idsOf = (calls: unknown): unknown[] =>
  Array.isArray(calls) ? calls.map(({ id }: { readonly id?: unknown }) => id) : []

/** What the strictest provider takes: one system message, first; and behind every call at once its one result. */
const assertStrict = (messages: readonly WireMessage[]): void => {
  const ids = new Set<unknown>()
  let open: unknown[] = []
  for (const [at, { role, tool_calls, tool_call_id }] of messages.entries()) {
    assert.is(role === 'system', at === 0, `message ${at} is of ${role}`)
    if (role === 'tool') {
      assert.is(tool_call_id, open.shift(), `message ${at} answers the next call`)
      continue
    }
    assert.equal(open, [], `before message ${at} every call has its result`)
    open = idsOf(tool_calls)
    for (const id of open) {
      assert.not(ids.has(id), `the id ${id} is the only one of its kind`)
      ids.add(id)
    }
  }
  assert.equal(open, [], 'every call has its result')
}

export const assertAllStrict = (requests: readonly ScriptedRequest[]): void => {
  for (const { body } of requests) assertStrict(body?.messages ?? [])
}
