import type { ToolSpec } from '../contract/tools.ts'
import { ASK } from './clarification.ts'

export type Grouped = Pick<ToolSpec, 'name' | 'group'>

/**
 * The tools that a list of groups leaves; `null` leaves all. A tool without a group is in none of them. Groups are no
 * affair of `ask_clarification`, which reaches nothing, nor of `task`: whether that is there is up to subagent access.
 */
export const toolsOfGroups = (tools: readonly Grouped[], groups: readonly string[] | null): readonly string[] =>
  tools
    .filter(({ name }) => name !== 'task')
    .filter(({ name, group }) => groups === null || name === ASK || (group !== null && groups.includes(group)))
    .map(({ name }) => name)
