import type { TokenBudget } from '../contract/guards.ts'

/** A kind of subagent, as `task` can start it. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly systemPrompt: string
  readonly source: 'builtin' | 'config' | 'managed' | 'agent'
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
