import { type Leader, leaderOf } from '../catalog/leader.ts'
import type { Config } from '../config/config.ts'
import { BUILTIN_AGENTS } from '../config/names.ts'
import { nearest } from '../config/nearest.ts'
import type { RunOptions } from '../contract/api.ts'
import { checkShape, FLAG, invalid, must, NUMBER, type OptionRule, SIGNAL, TEXT } from './option-shape.ts'
import type { RunSettings } from './settings.ts'

export interface CheckedRunOptions {
  readonly threadId: string | null
  readonly leader: Leader
  /** The one asked for, else the leader's own, else the first. */
  readonly model: string
  readonly subagentEnabled: boolean
  readonly maxConcurrent: number
  readonly maxTotal: number
  readonly deltas: boolean
  readonly states: boolean
  readonly traceId: string | null
}

export const THREAD_ID = /^[A-Za-z0-9_-]{1,64}$/
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/
const EXTRAS: readonly unknown[] = ['state', 'task_delta']

const EXTRAS_ONLY: OptionRule = (value) => {
  const knows = `knows ${EXTRAS.join(' and ')}`
  if (!Array.isArray(value)) return `must be a list; it ${knows}`
  const unknown: unknown = value.find((each) => !EXTRAS.includes(each))
  return unknown === undefined ? null : `${knows}, not "${String(unknown)}"`
}

const RULES: Readonly<Record<keyof RunOptions, OptionRule>> = {
  threadId: must(
    `a text that matches ${THREAD_ID.source}`,
    (value) => typeof value === 'string' && THREAD_ID.test(value),
  ),
  signal: SIGNAL,
  model: TEXT,
  agent: TEXT,
  subagentEnabled: FLAG,
  maxConcurrentSubagents: NUMBER,
  maxTotalSubagents: NUMBER,
  include: EXTRAS_ONLY,
  traceId: must('32 lower-case hex digits, not all zero', (value) => typeof value === 'string' && TRACE_ID.test(value)),
}

const clamp = (value: number, max: number): number => Math.min(max, Math.max(1, Math.trunc(value)))

/** Who is asked to lead; a name that cannot is answered with what can, and with what was probably meant. */
const readLeader = (agent: string | undefined, config: Config): Leader => {
  const leader = leaderOf(config, agent ?? null)
  if (leader !== undefined) return leader
  const known = Object.keys(config.agents)
  const subagents = [...BUILTIN_AGENTS, ...Object.keys(config.subagents.custom_agents)]
  if (agent !== undefined && subagents.includes(agent))
    return invalid('agent', `"${agent}" is a subagent and cannot lead: only an entry of the section agents can`)
  const meant = nearest(agent ?? '', known)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  const all = known.length === 0 ? 'the section agents is empty' : `known are ${known.join(', ')}`
  return invalid('agent', `"${agent}" is not in agents: ${all}${hint}`)
}

/** Reads the options of a run. Throws a `TroupeError` with code `OPTIONS_INVALID` that names the option. */
export const checkRunOptions = (
  prompt: unknown,
  options: RunOptions,
  { config, thread }: RunSettings,
): CheckedRunOptions => {
  if (typeof prompt !== 'string' || prompt.trim() === '') invalid('prompt', 'must be a text that is not blank')
  const models = thread.models.map(({ name }) => name)
  checkShape(options, RULES, 'run')
  if (options.model !== undefined && !models.includes(options.model))
    invalid('model', `"${options.model}" is not in models: ${models.join(', ')}`)
  const leader = readLeader(options.agent, config)
  const first = leader.model === 'inherit' ? (models[0] ?? '') : leader.model
  const { threadId = null, model = first, subagentEnabled = true, include = [], traceId = null } = options
  const { max_concurrent: concurrent, max_total_per_run: total } = config.subagents
  return {
    threadId,
    leader,
    model,
    subagentEnabled,
    maxConcurrent: clamp(options.maxConcurrentSubagents ?? concurrent, 64),
    maxTotal: clamp(options.maxTotalSubagents ?? total, 50),
    deltas: include.includes('task_delta'),
    states: include.includes('state'),
    traceId,
  }
}

/**
 * Reads the options while an edit of the config waits to be read, which may bring the names they use: only what no config
 * can make right is thrown.
 */
export const checkBeforeEdit = (prompt: unknown, options: RunOptions, settings: RunSettings): CheckedRunOptions => {
  checkShape(options, RULES, 'run')
  const { model: _, agent: __, ...rest } = options
  return checkRunOptions(prompt, rest, settings)
}
