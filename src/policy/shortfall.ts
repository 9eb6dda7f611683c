import type { ErrorData } from '../contract/errors.ts'
import { isBlank } from './bound.ts'
import { writesCalls } from './written-calls.ts'

/** A response without calls that is no answer either. */
export interface Shortfall {
  readonly type: 'EMPTY' | 'MISCALLED'
  /** What it comes to if it stays so. */
  readonly error: ErrorData
  /** What the model is told with its next request only. */
  readonly note: string
}

const EMPTY: Shortfall = {
  type: 'EMPTY',
  error: { code: 'MODEL_EMPTY', message: 'The model gave an empty answer, also when it was asked again.' },
  note: '[EMPTY RESPONSE] Your last response held neither text nor a tool call. Go on with the work, or give your final answer.',
}

/** The word alone is no call: taken as "go on", the same request would be sent for ever. */
const ANNOUNCED: Shortfall = {
  ...EMPTY,
  error: {
    code: 'MODEL_EMPTY',
    message: 'The model announced tool calls but made none, also when it was asked again.',
  },
}

const WRITTEN: Shortfall = {
  type: 'MISCALLED',
  error: {
    code: 'MODEL_FAILED',
    message: 'The model wrote its tool calls as text instead of making them, also when it was told; none of them ran.',
  },
  note: '[TOOL CALL NOT RUN] Your last response holds a tool call written as text, and nothing ran. Make a real tool call, or give your final answer in plain words.',
}

/** What a response without calls lacks; `null` for an answer. Text is an answer whatever the provider calls its end. */
export const shortfallOf = (
  text: string,
  finishReason: string | null,
  tools: readonly { readonly name: string }[],
): Shortfall | null => {
  if (isBlank(text)) return finishReason === 'tool_calls' ? ANNOUNCED : EMPTY
  return writesCalls(text, tools) ? WRITTEN : null
}
