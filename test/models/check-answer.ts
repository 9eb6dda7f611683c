/// <reference lib="es2024.string" />
import * as assert from 'uvu/assert'
import type { ToolCall } from '../../src/contract/messages.ts'
import { createAnswer, isFault } from '../../src/models/answer.ts'
import type { ModelReply } from '../../src/models/port.ts'

/** A body, and what must come of it. */
export interface Row {
  readonly name: string
  readonly body: string
  readonly status?: number
  readonly text?: string
  /** Name and arguments of each call; a word in place of arguments is part of what `invalid` says. */
  readonly calls?: readonly (readonly [string, object | string])[]
  /** Left out: any, but each its own. */
  readonly ids?: readonly string[]
  /** Input, output, total. */
  readonly usage?: readonly number[] | null
  readonly finish?: string | null
  readonly refusal?: string
  /** Field and text. */
  readonly reasoning?: readonly [string, string]
  /** Part of what a failure says. */
  readonly fails?: string
}

/** Reads the body whole, character by character and in between: where pieces end must never matter. */
export const checkAnswer = (row: Row): void => {
  for (const size of [row.body.length || 1, 1, 7]) {
    const { heard, outcome } = read(row, size)
    if (typeof outcome === 'string') checkFailure(row, heard, outcome)
    else checkReply(row, heard, outcome)
  }
}

const read = ({ body, status = 200 }: Row, size: number): { heard: string; outcome: ModelReply | string } => {
  const deltas: string[] = []
  const answer = createAnswer({ text: (delta) => deltas.push(delta), settled: () => {} })
  answer.head(status, () => undefined)
  for (let i = 0; i < body.length; i += size) answer.piece(body.slice(i, i + size))
  answer.end()
  const outcome = answer.outcome(null)
  return { heard: deltas.join(''), outcome: isFault(outcome) ? outcome.words : outcome }
}

const checkFailure = (row: Row, heard: string, words: string): void => {
  assert.is(heard, row.text ?? '')
  assert.ok(row.fails !== undefined && words.includes(row.fails), words)
}

const checkReply = (row: Row, heard: string, reply: ModelReply): void => {
  assert.is(row.fails, undefined)
  assert.is(reply.text, row.text ?? '')
  assert.is(heard.toWellFormed(), reply.text)
  if (row.finish !== undefined) assert.is(reply.finishReason, row.finish)
  if (row.usage !== undefined) assert.equal(reply.usage && Object.values(reply.usage), row.usage)
  assert.is(reply.refusal, row.refusal ?? '')
  assert.equal(reply.reasoning && [reply.reasoning.field, reply.reasoning.text], row.reasoning ?? null)
  checkCalls(row.calls ?? [], reply.toolCalls)
  const ids = reply.toolCalls.map(({ id }) => id)
  if (row.ids) assert.equal(ids, row.ids)
  else assert.ok(!ids.includes('') && new Set(ids).size === ids.length, ids.join())
}

const checkCalls = (wanted: NonNullable<Row['calls']>, calls: readonly ToolCall[]): void => {
  const seen = calls.map(({ name, args, invalid }) => [name, invalid ?? args] as const)
  const masked = seen.map(([name, args], i) => {
    const want = wanted[i]?.[1]
    return [name, typeof args === 'string' && typeof want === 'string' && args.includes(want) ? want : args]
  })
  assert.equal(masked, wanted)
}
