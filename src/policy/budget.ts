import type { TokenBudget } from '../contract/guards.ts'
import type { Usage } from '../contract/messages.ts'

/** What a config may say of a budget; `null` where it says nothing. */
export interface BudgetKeys {
  readonly enabled: boolean | null
  readonly max_tokens: number | null
  readonly max_input_tokens: number | null
  readonly max_output_tokens: number | null
  readonly warn_threshold: number | null
  readonly hard_stop_threshold: number | null
}

const LEAD_TOKENS = 200_000
const SUBAGENT_TOKENS = 2_000_000
/** With compaction an agent needs fewer tokens for the same work. */
const COMPACTED_TOKENS = 1_000_000

/** The budget of a kind of subagent: its own keys over those of all subagents over the defaults, key by key. Source: decision 12. */
export const subagentBudget = (shared: BudgetKeys, own: BudgetKeys | null, compacts: boolean): TokenBudget | null => {
  const pick = <K extends keyof BudgetKeys>(key: K): BudgetKeys[K] => own?.[key] ?? shared[key]
  if (pick('enabled') === false) return null
  return {
    maxTokens: pick('max_tokens') ?? (compacts ? COMPACTED_TOKENS : SUBAGENT_TOKENS),
    maxInputTokens: pick('max_input_tokens'),
    maxOutputTokens: pick('max_output_tokens'),
    warnAt: pick('warn_threshold') ?? 0.7,
    stopAt: pick('hard_stop_threshold') ?? 1,
  }
}

/** The lead's budget: off until its section gives a limit or switches it on. Source: decision 21. */
export const leadBudget = (keys: BudgetKeys): TokenBudget | null => {
  const { max_tokens: total, max_input_tokens: input, max_output_tokens: output } = keys
  if (!(keys.enabled ?? (total ?? input ?? output) !== null)) return null
  return {
    maxTokens: total ?? LEAD_TOKENS,
    maxInputTokens: input,
    maxOutputTokens: output,
    warnAt: keys.warn_threshold ?? 0.8,
    stopAt: keys.hard_stop_threshold ?? 1,
  }
}

export interface BudgetVerdict {
  /** Whether the agent must end; else it is warned. */
  readonly stop: boolean
  /** What is used up. */
  readonly why: string
}

interface Dimension {
  readonly name: 'total' | 'input' | 'output'
  readonly used: number
  readonly max: number
}

/** How a budget stands after a response; the dimension of which the largest part is used decides. Source: contract/runtime §5. */
export const budgetVerdict = (budget: TokenBudget, used: Usage): BudgetVerdict | null => {
  const { maxTokens, maxInputTokens, maxOutputTokens, warnAt, stopAt } = budget
  const { input_tokens: input, output_tokens: output } = used
  let worst: Dimension = { name: 'total', used: input + output, max: maxTokens }
  if (maxInputTokens !== null) worst = fuller(worst, { name: 'input', used: input, max: maxInputTokens })
  if (maxOutputTokens !== null) worst = fuller(worst, { name: 'output', used: output, max: maxOutputTokens })
  const part = worst.used / worst.max
  if (part < warnAt && part < stopAt) return null
  return { stop: part >= stopAt, why: wordsOf(worst, used.estimated === true) }
}

const fuller = (a: Dimension, b: Dimension): Dimension => (b.used / b.max > a.used / a.max ? b : a)

const wordsOf = ({ name, used, max }: Dimension, estimated: boolean): string => {
  const [spent, limit] = [used, max].map((tokens) => tokens.toLocaleString('en-US'))
  const percent = Math.round((100 * used) / max)
  return `${estimated ? 'About ' : ''}${spent} of ${limit} ${name} tokens are used (${percent}%).`
}

/** What the model is told with its next request only. */
export const budgetNote = ({ why }: BudgetVerdict): string =>
  `[TOKEN BUDGET WARNING] ${why} Do what matters most, and give your answer before they are used up.`
