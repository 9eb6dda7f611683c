import type { CatalogEntry } from '../contract/api.ts'
import type { AgentDefinition, AgentSource } from './definition.ts'

const OWNERS: Readonly<Record<AgentSource, string>> = {
  builtin: 'a built-in agent',
  config: 'an agent of subagents.custom_agents',
  managed: 'a managed agent',
  agent: 'an agent of the section agents',
}

const reasonOf = ({ source, conflictWith, unavailable }: AgentDefinition): string | null => {
  if (conflictWith === null) return unavailable
  const lead = source === 'agent' ? ' It can lead a run all the same.' : ''
  return `The name is that of ${OWNERS[conflictWith]}: give this one another name to make it a task target.${lead}`
}

/** A definition as the embedder sees it; `admin`: with its system prompt. */
export const toCatalogEntry = (definition: AgentDefinition, admin: boolean): CatalogEntry => {
  const unavailable_reason = reasonOf(definition)
  return {
    name: definition.name,
    description: definition.description,
    source: definition.source,
    enabled: true,
    available: unavailable_reason === null,
    unavailable_reason,
    conflict_with: definition.conflictWith,
    model: definition.model,
    tools: definition.tools,
    disallowed_tools: definition.disallowedTools,
    skills: definition.skills,
    max_turns: definition.maxTurns,
    timeout_seconds: definition.timeoutSeconds,
    token_budget: definition.tokenBudget?.maxTokens ?? null,
    overrides: definition.overrides,
    revision: 1,
    ...(admin && { system_prompt: definition.systemPrompt }),
  }
}
