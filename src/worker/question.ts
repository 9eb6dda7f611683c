import type { ToolCall } from '../contract/messages.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { ASK, ASKED, ASKED_FIRST, questionText } from '../policy/clarification.ts'
import { refusal } from '../policy/tool-outcome.ts'
import { checkArguments } from '../tools/arguments.ts'
import type { Agent } from './agent.ts'

/** What the calls of a response ask the user, or `null`. Two questions are asked as one. */
export const questionOf = ({ tools }: Agent, calls: readonly ToolCall[]): string | null => {
  const spec = tools.find(({ name }) => name === ASK)
  if (!spec) return null
  const questions = calls.flatMap(({ name, args, invalid }) => {
    const checked = name === ASK && invalid === undefined ? checkArguments(spec, args) : null
    return (checked?.ok && questionText(checked.args)) || []
  })
  return questions.length === 0 ? null : questions.join('\n\n')
}

/** What the calls of a response come to that asks: nothing beside the question is run. */
export const whileAsking = ({ name }: ToolCall): ToolOutcome =>
  name === ASK ? { status: 'success', content: ASKED } : refusal(ASKED_FIRST)
