import type { ToolOutcome } from '../contract/tools.ts'
import { head } from './bound.ts'

const DETAIL_MAX = 500
const CONTENT_MAX = 1024 * 1024

/** Reads a property of something a stranger threw or returned; a getter that throws counts as not there. */
const peek = (value: unknown, key: string): unknown => {
  try {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  } catch {
    return undefined
  }
}

/** Shows what a stranger made, which may throw at any touch. */
const shown = (show: () => string): string => {
  try {
    return show()
  } catch {
    return 'a value that cannot be shown'
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : shown(() => JSON.stringify(value) ?? String(value))

const blockText = (block: unknown): string => (typeof block === 'string' ? block : asText(peek(block, 'text') ?? block))

/** What a tool gave back, as text: a string as it is, a message or content blocks by their text, anything else as JSON. */
const contentOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(blockText).join('\n')
  const content = peek(value, 'content')
  return typeof content === 'string' || Array.isArray(content) ? contentOf(content) : asText(value)
}

export const outcomeOf = (value: unknown): ToolOutcome => {
  const content = shown(() => contentOf(value)).toWellFormed()
  const status = peek(value, 'status') === 'error' ? 'error' : 'success'
  if (content.length <= CONTENT_MAX) return { status, content }
  const first = head(content, CONTENT_MAX)
  return { status, content: `${first}\n... [truncated: showing first ${first.length} of ${content.length} chars] ...` }
}

const classOf = (thrown: unknown): string => {
  const name = peek(thrown, 'name')
  if (typeof name === 'string' && name !== '') return name
  return thrown === null ? 'null' : typeof thrown
}

/** A failed call, as the model reads it: whatever was thrown, even nothing. Source: contract/runtime §12.1. */
export const failureOf = (tool: string, thrown: unknown): ToolOutcome => {
  const message = peek(thrown, 'message')
  // The sentence goes on behind it with a full stop of its own.
  const text = (typeof message === 'string' ? message : typeof thrown === 'string' ? thrown : '')
    .trim()
    .replace(/(?<!\.)\.$/, '')
  const detail = text.length > DETAIL_MAX ? `${head(text, DETAIL_MAX - 3)}...` : text
  const what = detail === '' ? classOf(thrown) : `${classOf(thrown)}: ${detail}`
  return refusal(`Tool '${tool}' failed with ${what}. Continue with available context, or choose an alternative tool.`)
}

/** An error result with a reason of the runtime's own. */
export const refusal = (reason: string): ToolOutcome => ({
  status: 'error',
  content: `Error: ${reason}`.toWellFormed(),
})
