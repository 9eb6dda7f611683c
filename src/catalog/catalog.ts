import type { Config } from '../config/config.ts'
import type { CatalogEntry } from '../contract/api.ts'
import { subagentBudget } from '../policy/budget.ts'
import type { AgentDefinition } from './definition.ts'
import { generalPurpose } from './general-purpose.ts'

const BUILTINS: readonly AgentDefinition[] = [generalPurpose]

/** A definition with what the config lays over it. A new object: the built-in itself is never changed. */
const override = (definition: AgentDefinition, { subagents, summarization }: Config): AgentDefinition => {
  const own = subagents.agents[definition.name]
  const isBuiltin = definition.source === 'builtin'
  const overrides = (['timeout_seconds', 'max_turns', 'model', 'token_budget'] as const).filter(
    (key) => (own?.[key] ?? null) !== null,
  )
  return {
    ...definition,
    model: own?.model ?? definition.model,
    maxTurns: own?.max_turns ?? (isBuiltin ? subagents.max_turns : null) ?? definition.maxTurns,
    timeoutSeconds: own?.timeout_seconds ?? (isBuiltin ? subagents.timeout_seconds : null) ?? definition.timeoutSeconds,
    tokenBudget: subagentBudget(subagents.token_budget, own?.token_budget ?? null, summarization.enabled),
    overrides,
  }
}

/** What `task` can start under this config, in the order shown to the lead. */
export const buildCatalog = (config: Config): readonly AgentDefinition[] =>
  BUILTINS.map((definition) => override(definition, config))

export const toCatalogEntry = (definition: AgentDefinition, admin: boolean): CatalogEntry => ({
  name: definition.name,
  description: definition.description,
  source: definition.source,
  enabled: true,
  available: true,
  unavailable_reason: null,
  conflict_with: null,
  model: definition.model,
  tools: definition.tools,
  disallowed_tools: definition.disallowedTools,
  skills: null,
  max_turns: definition.maxTurns,
  timeout_seconds: definition.timeoutSeconds,
  token_budget: definition.tokenBudget?.maxTokens ?? null,
  overrides: definition.overrides,
  revision: 1,
  ...(admin && { system_prompt: definition.systemPrompt }),
})
