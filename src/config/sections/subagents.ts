import * as z from 'zod/mini'
import { count, entry, flag, named, optional, positive, section, strings, text, wholeSeconds } from '../fields.ts'
import { budgetShape } from './budget.ts'

/** What every agent is denied unless its definition says otherwise. */
const DENIED = ['task', 'ask_clarification', 'present_files']

const override = entry({
  timeout_seconds: optional(wholeSeconds),
  max_turns: optional(positive),
  model: optional(z.string()),
  skills: optional(strings),
  token_budget: optional(entry(budgetShape)),
})

const customAgent = entry({
  description: text,
  system_prompt: text,
  tools: optional(strings),
  disallowed_tools: z._default(strings, DENIED),
  skills: optional(strings),
  model: z._default(z.string(), 'inherit'),
  max_turns: z._default(positive, 50),
  timeout_seconds: z._default(wholeSeconds, 900),
})

export const subagents = section({
  timeout_seconds: z._default(wholeSeconds, 1800),
  max_turns: optional(positive),
  max_concurrent: count(3, 1, 64),
  max_total_per_run: count(6, 1, 50),
  overflow: z._default(z.enum(['trim', 'queue']), 'trim'),
  wrap_up: flag(true),
  token_budget: section(budgetShape),
  agents: named(override),
  custom_agents: named(customAgent),
})

/** Agents that can lead a run and are `task` targets too. */
export const agents = named(
  entry({
    description: text,
    system_prompt: text,
    model: z._default(z.string(), 'inherit'),
    tool_groups: optional(strings),
    skills: optional(strings),
    subagents: z._default(
      z.union([z.enum(['all', 'none']), z.array(z.string())], { error: 'must be all, none or a list of names' }),
      'all',
    ),
  }),
)

export const lead = section({
  max_turns: z._default(positive, 200),
  timeout_seconds: z._default(wholeSeconds, 3600),
})
