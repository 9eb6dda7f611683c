import type { DelegationLimits } from './delegation-limits.ts'

// When to delegate. The lead's prompt, the `task` tool and the built-in agents all say it in these words, so that none
// says what another denies. Source: contract/catalog §2.

export const DIRECT = 'Work directly by default.'

export const EXCEEDS = 'clearly exceeds the cost'

export const COST =
  'the start, finding things out twice, putting the reports together, and side effects that get in the way of other work'

export const NO_REASONS =
  'Complexity, the number of steps, verbosity and the size of a repository are no reasons by themselves.'

/** Whether two subagents of a run can ever work at once. */
export const runsParallel = ({ maxConcurrent, maxTotal }: Pick<DelegationLimits, 'maxConcurrent' | 'maxTotal'>) =>
  Math.min(maxConcurrent, maxTotal) > 1

/** What a subagent is good for. Time is a reason only where two can work at once. */
export const benefits = (parallel: boolean): string =>
  parallel
    ? 'specialist capability, context isolation (what is long or noisy stays out of your context) or time (independent pieces run at the same time)'
    : 'specialist capability or context isolation (what is long or noisy stays out of your context)'
