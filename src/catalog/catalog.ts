import type { Config } from '../config/config.ts'
import type { CatalogEntry } from '../contract/api.ts'
import { BASH_SUBAGENT_DISABLED, hostBashAllowed } from '../policy/bash-gate.ts'
import { subagentBudget } from '../policy/budget.ts'
import { bash } from './bash.ts'
import type { AgentDefinition } from './definition.ts'
import { generalPurpose } from './general-purpose.ts'

type CustomAgent = Config['subagents']['custom_agents'][string]

const customAgent = ([name, custom]: [string, CustomAgent]): AgentDefinition => ({
  name,
  description: custom.description,
  systemPrompt: custom.system_prompt,
  source: 'config',
  unavailable: null,
  model: custom.model,
  tools: custom.tools,
  disallowedTools: custom.disallowed_tools,
  skills: custom.skills,
  maxTurns: custom.max_turns,
  timeoutSeconds: custom.timeout_seconds,
  tokenBudget: null,
  overrides: [],
})

const OVERRIDABLE = ['timeout_seconds', 'max_turns', 'model', 'skills', 'token_budget'] as const

/**
 * A definition with what the config lays over it. A new object: the built-in itself is never changed. What
 * `subagents.timeout_seconds` and `max_turns` say holds for built-ins alone. Source: decision 13.
 */
const override = (definition: AgentDefinition, { subagents, summarization }: Config): AgentDefinition => {
  const { name, source } = definition
  const own = Object.hasOwn(subagents.agents, name) ? subagents.agents[name] : undefined
  const shared = source === 'builtin' ? subagents : { timeout_seconds: null, max_turns: null }
  return {
    ...definition,
    model: own?.model ?? definition.model,
    skills: own?.skills ?? definition.skills,
    maxTurns: own?.max_turns ?? shared.max_turns ?? definition.maxTurns,
    timeoutSeconds: own?.timeout_seconds ?? shared.timeout_seconds ?? definition.timeoutSeconds,
    tokenBudget: subagentBudget(subagents.token_budget, own?.token_budget ?? null, summarization.enabled),
    overrides: OVERRIDABLE.filter((key) => (own?.[key] ?? null) !== null),
  }
}

/**
 * Every agent under this config, in the order shown to the lead: built-ins, then those of the config in its order. The
 * config holds no agent by the name of a built-in one any more.
 */
export const buildCatalog = (config: Config): readonly AgentDefinition[] => {
  const unavailable = hostBashAllowed(config.sandbox) ? null : BASH_SUBAGENT_DISABLED
  const custom = Object.entries(config.subagents.custom_agents).map(customAgent)
  return [generalPurpose, { ...bash, unavailable }, ...custom].map((definition) => override(definition, config))
}

/** Those that `task` can start. */
export const availableOf = (catalog: readonly AgentDefinition[]): readonly AgentDefinition[] =>
  catalog.filter(({ unavailable }) => unavailable === null)

export const toCatalogEntry = (definition: AgentDefinition, admin: boolean): CatalogEntry => ({
  name: definition.name,
  description: definition.description,
  source: definition.source,
  enabled: true,
  available: definition.unavailable === null,
  unavailable_reason: definition.unavailable,
  conflict_with: null,
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
})
