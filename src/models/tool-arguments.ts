import { messageOf } from '../contract/errors.ts'
import { isRecord } from '../contract/is-record.ts'
import type { ToolCall } from '../contract/messages.ts'

type Arguments = Pick<ToolCall, 'args' | 'invalid'>

/** Some providers encode the arguments twice, none more than three times. */
const ENCODINGS_MAX = 3

/** Reads what a model sent as a call's arguments: an object, or its JSON text; nothing at all means no arguments. */
export const readArguments = (sent: unknown): Arguments => {
  let value = sent
  for (let i = 0; i < ENCODINGS_MAX && typeof value === 'string'; i++) {
    if (value.trim() === '') return { args: {} }
    try {
      value = JSON.parse(value)
    } catch (error) {
      return invalid(`not valid JSON${looksCut(value) ? ', probably cut off' : ''} (${messageOf(error)})`)
    }
  }
  if (value === null || value === undefined) return { args: {} }
  return isRecord(value) ? { args: value } : invalid(`they must be one JSON object, not ${kindOf(value)}`)
}

/** Whether the text ends like one complete object, so that a further one is another call's. */
export const isWholeObject = (text: string): boolean => text.trimEnd().endsWith('}') && isRecord(parsed(text))

const invalid = (why: string): Arguments => ({ args: {}, invalid: `The arguments cannot be read: ${why}` })

const looksCut = (text: unknown): boolean => {
  const object = String(text).trim()
  return object.startsWith('{') && !object.endsWith('}')
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'an array' : `a ${typeof value}`)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
