import type { Config } from '../config/config.ts'
import type { AgentGuards, LoopLimits, TokenBudget } from '../contract/guards.ts'
import { leadBudget } from '../policy/budget.ts'
import { compactionRules } from '../policy/compaction.ts'

/** What the config says about how long agents may go on. Loop detection and compaction are one switch for all of them. */
export interface GuardSettings {
  readonly lead: TokenBudget | null
  ofLead(model: string): AgentGuards
  ofTask(model: string, budget: TokenBudget | null): AgentGuards
}

export const createGuardSettings = (config: Config): GuardSettings => {
  const { subagents, summarization, models } = config
  const loop = loopLimits(config)
  const lead = leadBudget(config.token_budget)
  const rules = new Map(
    models.map(({ name, context_window }) => [name, compactionRules(summarization, context_window)]),
  )
  const compaction = (model: string) => rules.get(model) ?? null
  return {
    lead,
    ofLead: (model) => ({ wrapUp: true, loop, budget: lead, compaction: compaction(model) }),
    ofTask: (model, budget) => ({ wrapUp: subagents.wrap_up, loop, budget, compaction: compaction(model) }),
  }
}

const loopLimits = ({ loop_detection: keys }: Config): LoopLimits | null =>
  keys.enabled
    ? {
        warn: keys.warn_threshold,
        hard: keys.hard_limit,
        window: keys.window_size,
        toolWarn: keys.tool_freq_warn,
        toolHard: keys.tool_freq_hard_limit,
        overrides: Object.fromEntries(
          Object.entries(keys.tool_freq_overrides).map(([name, { warn, hard_limit }]) => [
            name,
            { warn, hard: hard_limit },
          ]),
        ),
      }
    : null
