import type { ToolSpec } from '../contract/tools.ts'

export type Grouped = Pick<ToolSpec, 'name' | 'group'>

/**
 * The tools that a list of groups leaves; `null` leaves all. A tool without a group is in none of them. `task` is not
 * looked at here: whether it is there is up to subagent access.
 */
export const toolsOfGroups = (tools: readonly Grouped[], groups: readonly string[] | null): readonly string[] =>
  tools
    .filter(({ name, group }) => name !== 'task' && (groups === null || (group !== null && groups.includes(group))))
    .map(({ name }) => name)
