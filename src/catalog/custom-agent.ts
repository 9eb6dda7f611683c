import type { Config } from '../config/config.ts'
import { type AgentDefinition, UNDECIDED } from './definition.ts'

/** The agents of `subagents.custom_agents`, in the order of the config. */
export const customAgents = ({ subagents }: Config): readonly AgentDefinition[] =>
  Object.entries(subagents.custom_agents).map(([name, custom]) => ({
    name,
    description: custom.description,
    systemPrompt: custom.system_prompt,
    source: 'config',
    model: custom.model,
    tools: custom.tools,
    disallowedTools: custom.disallowed_tools,
    skills: custom.skills,
    maxTurns: custom.max_turns,
    timeoutSeconds: custom.timeout_seconds,
    ...UNDECIDED,
  }))
