import type { Config } from '../config/config.ts'
import { DEFAULT_ROLE } from './lead-prompt.ts'

/** Who leads a run: the default lead, or an agent of the section `agents`. */
export interface Leader {
  /** `null` for the default lead. */
  readonly name: string | null
  readonly role: string
  /** Name of an entry in `models`, or `inherit` for the run's. */
  readonly model: string
  /** Groups of tools it has; `null` for all tools. */
  readonly toolGroups: readonly string[] | null
  readonly skills: readonly string[] | null
  /** Which subagents it may call. Source: seed 004, "Subagent access". */
  readonly access: 'all' | 'none' | readonly string[]
}

const DEFAULT_LEADER: Leader = {
  name: null,
  role: DEFAULT_ROLE,
  model: 'inherit',
  toolGroups: null,
  skills: null,
  access: 'all',
}

/** The leader by its name, or `undefined` if the section `agents` has none of that name; `null` is the default lead. */
export const leaderOf = ({ agents }: Config, name: string | null): Leader | undefined => {
  if (name === null) return DEFAULT_LEADER
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  return (
    agent && {
      name,
      role: agent.system_prompt,
      model: agent.model,
      toolGroups: agent.tool_groups,
      skills: agent.skills,
      access: agent.subagents,
    }
  )
}
