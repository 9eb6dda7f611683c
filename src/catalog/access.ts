import type { DelegationPolicy } from '../contract/envelopes.ts'
import type { AgentDefinition } from './definition.ts'
import type { Leader } from './leader.ts'

export interface Callable {
  /** Those that the leader's `task` can start, in the order of the catalog. */
  readonly subagents: readonly AgentDefinition[]
  /** Those it may know of and still not start, with what asking for one is answered. */
  readonly unavailable: DelegationPolicy['unavailable']
}

const NEEDS_BASH = 'The subagent bash works with the tool bash, which you do not have.'

/** A child never has what its parent had not, and without its one tool the built-in `bash` is of no use. */
const reasonFor = ({ name, source, unavailable }: AgentDefinition, tools: readonly string[]): string | null =>
  unavailable ?? (source === 'builtin' && name === 'bash' && !tools.includes('bash') ? NEEDS_BASH : null)

/**
 * What one leader may delegate to, with the tools it has. What its access list hides is in neither list, so that asking
 * for it is answered like asking for what does not exist. No agent calls itself. Sources: decisions 22 and 24.
 */
export const callableBy = (
  { name: own, access }: Pick<Leader, 'name' | 'access'>,
  catalog: readonly AgentDefinition[],
  tools: readonly string[],
): Callable => {
  const isSeen = ({ name, source, conflictWith }: AgentDefinition): boolean =>
    conflictWith === null &&
    !(source === 'agent' && name === own) &&
    (access === 'all' || (access !== 'none' && access.includes(name)))
  const seen = catalog.filter(isSeen).map((definition) => ({ definition, reason: reasonFor(definition, tools) }))
  return {
    subagents: seen.flatMap(({ definition, reason }) => (reason === null ? [definition] : [])),
    unavailable: seen.flatMap(({ definition: { name }, reason }) => (reason === null ? [] : [{ name, reason }])),
  }
}
