import type { RunResult } from '../contract/result.ts'
import { capName, count, tokens } from './view/format.ts'
import { oneLine } from './view/text.ts'

/** The last lines on stderr: what it took, what it left, and how to go on. */
export const summary = (result: RunResult, withThread: boolean, files: readonly string[]): readonly string[] => {
  const broken = result.delegations.filter(({ status }) => status !== 'completed').length
  const facts = [
    `${result.status.replace('_', ' ')}${result.stop_reason ? ` (${capName(result.stop_reason)})` : ''}`,
    count(result.turns, 'turn'),
    ...(result.delegations.length > 0
      ? [count(result.delegations.length, 'subagent') + (broken > 0 ? ` (${broken} not completed)` : '')]
      : []),
    ...(result.usage.total_tokens > 0 ? [`${tokens(result.usage)} tokens`] : []),
    ...(withThread ? [`thread ${oneLine(result.thread_id)}`] : []),
  ]
  return [
    facts.join(' · '),
    ...files,
    ...(withThread && result.status === 'needs_input'
      ? [`To answer: troupe run --thread ${oneLine(result.thread_id)} "..."`]
      : []),
  ]
}
