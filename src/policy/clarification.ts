import { isBlank } from './bound.ts'

/** The tool by which an agent asks the user. */
export const ASK = 'ask_clarification'

/** Stands before a question that a subagent gives back as its result. Source: decision 23. */
const NEEDS_INPUT = '[NEEDS INPUT]'

/** The answer to a call that asks: what the user says comes later, as a message of theirs. */
export const ASKED = 'Asked. The answer comes as the next message of the user.'

/** The answer to the calls beside it. */
export const ASKED_FIRST = 'Not run: the question to the user comes first. Call it again where it is still needed.'

export const BLANK_QUESTION = `Tool '${ASK}' needs a question that is not blank`

/** What `ask_clarification` asks, as people read it; `null` for a blank question. */
export const questionText = ({ question, options }: Readonly<Record<string, unknown>>): string | null => {
  const text = String(question)
  if (isBlank(text)) return null
  const choices = Array.isArray(options) ? options.map((option) => `\n- ${option}`) : []
  return text.trim() + choices.join('')
}

/** The result of an agent that ends by asking. A lead's reader is the user, a subagent's is its lead. */
export const questionResult = (question: string, role: 'lead' | 'subagent'): string =>
  role === 'lead' ? question : `${NEEDS_INPUT} ${question}`
