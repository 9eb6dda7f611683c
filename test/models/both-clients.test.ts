/// <reference lib="es2024.string" />
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import type { ScriptedReply } from '../../src/testing/scripted-reply.ts'
import { ask, type Heard, requestTo } from './ask.ts'
import type { Row } from './check-answer.ts'
import { type Client, langChainClient, ownClient, withClient } from './langchain/support.ts'
import { answers } from './rows/answers.ts'
import { failures } from './rows/failures.ts'
import { toolCalls } from './rows/tool-calls.ts'

const rows: readonly Row[] = [...answers, ...toolCalls, ...failures]

/** What ChatOpenAI has no place for, by the name of the row. */
const OTHER_IN_LANGCHAIN: Readonly<Record<string, string>> = {
  'reasoning under its other name': 'it knows reasoning_content alone',
  'a refusal': 'its words come as text',
}

/** The body in pieces that end anywhere, each a packet of its own. */
const replyTo = ({ body }: ScriptedRequest): ScriptedReply => {
  const row = rows[Number(body?.model)]
  const bytes = Buffer.from(row?.body ?? '')
  const size = Math.max(1, Math.ceil(bytes.length / 7))
  const raw = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
  return { raw, status: row?.status ?? 200 }
}

/** What must be the same, whichever client read it: ids that were made up are not. */
const essence = ({ texts, reply, error }: Heard, row: Row) => ({
  heard: texts.join('').toWellFormed(),
  error: error && { ...error, message: error.message.replace(/127\.0\.0\.1:\d+/, 'server') },
  reply: reply && {
    text: reply.text,
    calls: reply.toolCalls.map(({ id, ...call }) => ({ ...call, id: row.ids ? id : id !== '' })),
    finishReason: reply.finishReason,
    refusal: reply.refusal,
    reasoning: reply.reasoning,
    usage: reply.usage,
  },
})

const hear = async (client: Client, url: string, index: number): Promise<Heard> =>
  ask(client.stream, requestTo(client.settings(url, { model: String(index) })))

for (const [index, row] of rows.entries()) {
  const other = OTHER_IN_LANGCHAIN[row.name]
  test(`${row.name}${other ? ` (ChatOpenAI: ${other})` : ''}`, () =>
    withClient(ownClient, replyTo, async (own, { url }) => {
      const expected = essence(await hear(own, url, index), row)
      const heard = essence(await hear(langChainClient(), url, index), row)
      if (other) assert.not.equal(heard, expected, 'take it off the list')
      else assert.equal(heard, expected)
    }))
}

test.run()
