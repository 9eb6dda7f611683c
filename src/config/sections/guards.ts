import * as z from 'zod/mini'
import { entry, flag, map, optional, positive, section, strings } from '../fields.ts'
import { budgetShape } from './budget.ts'

const atLeast =
  (high: string, low: string) =>
  ({ value, issues }: { readonly value: Readonly<Record<string, unknown>>; issues: z.core.$ZodRawIssue[] }): void => {
    const [upper, lower] = [value[high], value[low]]
    if (typeof upper !== 'number' || typeof lower !== 'number' || upper >= lower) return
    issues.push({
      code: 'custom',
      input: upper,
      path: [high],
      message: `must be at least ${low}, which is ${lower}, not ${upper}`,
    })
  }

export const loopDetection = section(
  {
    enabled: flag(true),
    warn_threshold: z._default(positive, 3),
    hard_limit: z._default(positive, 5),
    window_size: z._default(positive, 20),
    max_tracked_threads: z._default(positive, 100),
    tool_freq_warn: z._default(positive, 30),
    tool_freq_hard_limit: z._default(positive, 50),
    tool_freq_overrides: map(entry({ warn: positive, hard_limit: positive }, atLeast('hard_limit', 'warn'))),
  },
  atLeast('hard_limit', 'warn_threshold'),
  atLeast('tool_freq_hard_limit', 'tool_freq_warn'),
)

/** The lead's budget; that of subagents stands under `subagents`. */
export const tokenBudget = section(budgetShape)

const size = entry(
  { type: z.enum(['messages', 'tokens', 'fraction']), value: z.number() },
  ({ value: { type, value }, issues }) => {
    if (typeof value !== 'number') return
    const rule = type === 'fraction' ? 'a number above 0 and up to 1' : 'a whole number of at least 1'
    const fits = type === 'fraction' ? value > 0 && value <= 1 : Number.isInteger(value) && value >= 1
    if (!fits)
      issues.push({
        code: 'custom',
        input: value,
        path: ['value'],
        message: `must be ${rule} for ${type}, not ${value}`,
      })
  },
)

export const summarization = section({
  enabled: flag(false),
  model_name: optional(z.string()),
  trigger: optional(z.union([size, z.array(size)], { error: 'must be a map of type and value, or a list of them' })),
  keep: z._default(size, { type: 'messages', value: 20 }),
  trim_tokens_to_summarize: z._default(z.nullable(positive), 4000),
  summary_prompt: optional(z.string()),
  skill_file_read_tool_names: z._default(strings, ['read_file', 'read', 'view', 'cat']),
})
