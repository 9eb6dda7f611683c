import type { Config } from '../config/config.ts'
import { type Grouped, toolsOfGroups } from '../policy/tool-groups.ts'
import { DENIED } from './builtin.ts'
import { type AgentDefinition, UNDECIDED } from './definition.ts'

/** What such an agent gets as a subagent, unless `subagents.agents.<name>` says otherwise. Source: decision 22. */
const MAX_TURNS = 50
const TIMEOUT_SECONDS = 900

/** The agents of the section `agents`, as the subagents that they are too. `tools`: all that there are. */
export const leadingAgents = ({ agents }: Config, tools: readonly Grouped[]): readonly AgentDefinition[] =>
  Object.entries(agents).map(([name, agent]) => ({
    name,
    description: agent.description,
    systemPrompt: agent.system_prompt,
    source: 'agent',
    model: agent.model,
    tools: agent.tool_groups && toolsOfGroups(tools, agent.tool_groups),
    disallowedTools: DENIED,
    skills: agent.skills,
    maxTurns: MAX_TURNS,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...UNDECIDED,
  }))
