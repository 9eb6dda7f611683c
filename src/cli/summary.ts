import type { RunResult } from '../contract/result.ts'
import { capName, count, tokens } from './view/format.ts'
import { oneLine } from './view/text.ts'

/** The last lines on stderr: what it took, and how to go on. */
export const summary = (result: RunResult, withThread: boolean): readonly string[] => {
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
  const artifacts = [...new Set(result.delegations.flatMap((one) => one.artifacts.map(({ path }) => path)))]
  return [
    facts.join(' · '),
    ...artifacts.map((path) => `file: ${oneLine(path)}`),
    ...(withThread && result.status === 'needs_input'
      ? [`To answer: troupe run --thread ${oneLine(result.thread_id)} "..."`]
      : []),
  ]
}
