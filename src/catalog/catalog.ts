import type { Config } from '../config/config.ts'
import { BASH_SUBAGENT_DISABLED, hostBashAllowed } from '../policy/bash-gate.ts'
import { subagentBudget } from '../policy/budget.ts'
import type { Grouped } from '../policy/tool-groups.ts'
import { bash } from './bash.ts'
import { customAgents } from './custom-agent.ts'
import type { AgentDefinition, AgentSource } from './definition.ts'
import { generalPurpose } from './general-purpose.ts'
import { leadingAgents } from './leading-agent.ts'

const OVERRIDABLE = ['timeout_seconds', 'max_turns', 'model', 'skills', 'token_budget'] as const

/**
 * A definition with what the config lays over it. A new object: the built-in itself is never changed. What
 * `subagents.timeout_seconds` and `max_turns` say holds for built-ins alone, and an override by name is meant for the
 * agent that has the name. Source: decision 13.
 */
const override = (definition: AgentDefinition, { subagents, summarization }: Config): AgentDefinition => {
  const { name, source, conflictWith } = definition
  const isMeant = conflictWith === null && Object.hasOwn(subagents.agents, name)
  const own = isMeant ? subagents.agents[name] : undefined
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

const markTaken = (definitions: readonly AgentDefinition[]): readonly AgentDefinition[] => {
  const owners = new Map<string, AgentSource>()
  return definitions.map((definition) => {
    const { name, source } = definition
    const conflictWith = owners.get(name) ?? null
    if (conflictWith === null) owners.set(name, source)
    return { ...definition, conflictWith }
  })
}

/**
 * Every agent under this config, in the order of precedence and as shown to the lead: built-ins, those of the config in
 * its order, then the agents that can lead. `tools`: all that the config gives. Sources: seeds 001 and 004, decision 22.
 */
export const buildCatalog = (config: Config, tools: readonly Grouped[]): readonly AgentDefinition[] => {
  const unavailable = hostBashAllowed(config.sandbox) ? null : BASH_SUBAGENT_DISABLED
  const builtins = [generalPurpose, { ...bash, unavailable }]
  const all = [...builtins, ...customAgents(config), ...leadingAgents(config, tools)]
  return markTaken(all).map((definition) => override(definition, config))
}
