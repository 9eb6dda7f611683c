import { head } from '../policy/bound.ts'
import type { DelegationLimits } from '../policy/delegation-limits.ts'
import { benefits, COST, DIRECT, EXCEEDS, NO_REASONS, runsParallel } from '../policy/delegation-words.ts'
import { promptLine } from '../policy/escape.ts'

export interface Named {
  readonly name: string
  readonly description: string
}

/** Longest line about one agent, in characters: a description is to be read, not to fill the prompt. */
const ENTRY_MAX = 1000

/** The first line that says something: a block scalar may well begin with a blank one. */
const firstLine = (description: string): string => {
  const line = description.split(/[\n\v\f\r\u0085\u2028\u2029]/).find((each) => promptLine(each) !== '') ?? ''
  return promptLine(line.length > ENTRY_MAX ? `${head(line, ENTRY_MAX - 1)}…` : line)
}

const entryLine = ({ name, description }: Named): string => `- **${promptLine(name)}**: ${firstLine(description)}`

const oneByOne = ({ overflow }: DelegationLimits): readonly string[] => [
  overflow === 'queue'
    ? 'One subagent works at a time: of several task calls in one response each waits for the one before, so delegating saves no time.'
    : 'At most one task call a response. Subagents work one after the other, so delegating saves no time.',
]

const together = ({ maxConcurrent, maxTotal, overflow }: DelegationLimits): readonly string[] => {
  const atOnce = Math.min(maxConcurrent, maxTotal)
  return [
    overflow === 'queue'
      ? `${atOnce} subagents work at the same time; of more task calls in one response the rest wait for a place.`
      : `At most ${atOnce} task calls a response; they run at the same time. Of more pieces send ${atOnce}, and the next when their reports are there.`,
    "Put pieces into one response only if none needs another's result and no two touch the same files or the same state.",
    'After each batch, look at the reports before you decide on the next.',
  ]
}

const totalLine = ({ maxTotal }: DelegationLimits): string =>
  `This run may start ${maxTotal === 1 ? '1 subagent' : `${maxTotal} subagents`} in all; then work with the reports you have.`

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** What a lead is told of its subagents: who they are, when one is worth it, and the limits that hold in this run. */
export const delegationBlock = (subagents: readonly Named[], limits: DelegationLimits): string => {
  const parallel = runsParallel(limits)
  return `<subagent_system>
The task tool hands work to a subagent. A subagent sees only the prompt you write for it, and its report comes to you alone.

Available Subagents
${subagents.map(entryLine).join('\n')}

When to delegate
${list([
  `${DIRECT} Delegate only where the benefit ${EXCEEDS}.`,
  `The benefit is ${benefits(parallel)}.`,
  `The cost is ${COST}.`,
  NO_REASONS,
  'If the request is unclear, clear that up first.',
  'Use as few subagents as the work needs.',
])}

Limits
${list([...(parallel ? together(limits) : oneByOne(limits)), totalLine(limits)])}
</subagent_system>`
}
