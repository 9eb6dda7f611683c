import type { TokenBudget } from '../contract/guards.ts'

/** Where a definition comes from. An earlier source wins over a later one. */
export type AgentSource = 'builtin' | 'config' | 'managed' | 'agent'

/** A kind of subagent, as `task` can start it. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly systemPrompt: string
  readonly source: AgentSource
  /** The earlier source that has its name: it is listed and never started. `null` where the name is its own. */
  readonly conflictWith: AgentSource | null
  /** Why it cannot be started under this config; `null` where it can. */
  readonly unavailable: string | null
  /** Name of an entry in `models`, or `inherit` for the lead's. */
  readonly model: string
  /** Names of the tools it may use; `null` for all that its parent has. */
  readonly tools: readonly string[] | null
  /** Taken away, whatever `tools` says. */
  readonly disallowedTools: readonly string[]
  /** Names of the skills it may load; `null` for all. */
  readonly skills: readonly string[] | null
  readonly maxTurns: number
  readonly timeoutSeconds: number
  /** `null`: it may spend what it likes. */
  readonly tokenBudget: TokenBudget | null
  /** Which of its fields `subagents.agents.<name>` has set. */
  readonly overrides: readonly string[]
}

/** What the config decides of every definition, as it is before the config is looked at. */
export const UNDECIDED = { conflictWith: null, unavailable: null, tokenBudget: null, overrides: [] } as const
