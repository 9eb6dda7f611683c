import { callableBy } from '../catalog/access.ts'
import { leadPrompt } from '../catalog/lead-prompt.ts'
import { subagentPrompt } from '../catalog/subagent-prompt.ts'
import type { DelegationAsk } from '../contract/envelopes.ts'
import type { AgentLimits, EventFields } from '../contract/events.ts'
import { refusalOfType } from '../policy/delegation-refusal.ts'
import { narrowTools } from '../policy/narrow-tools.ts'
import { toolsOfGroups } from '../policy/tool-groups.ts'
import type { CheckedRunOptions } from './run-options.ts'
import type { RunSettings } from './settings.ts'
import type { Plan, RunState } from './tracked.ts'

/** The lead's limits, as `run_started` tells them. */
export const leadLimits = ({ config: { lead }, guards }: RunSettings): AgentLimits => ({
  max_turns: lead.max_turns,
  timeout_seconds: lead.timeout_seconds,
  token_budget: guards.lead?.maxTokens ?? null,
})

/** The lead of a run: what it is told, may use and may spend. */
export const planLead = (run: RunState, prompt: string, options: CheckedRunOptions): Plan => {
  const { config, thread, guards } = run.settings
  const { model, leader } = options
  const { tools, callable, delegation } = scopeOf(run.settings, options)
  return {
    taskId: null,
    subagentType: 'lead',
    description: '',
    modelName: model,
    limits: leadLimits(run.settings),
    envelope: {
      role: 'lead',
      taskId: null,
      agent: leader.name ?? 'lead',
      model,
      system: leadPrompt({
        role: leader.role,
        mounts: reachesFiles(run.settings, tools) ? thread.mounts : null,
        delegation: delegation && { ...delegation, subagents: callable.subagents },
      }),
      prompt,
      tools: delegation ? ['task', ...tools] : tools,
      maxTurns: config.lead.max_turns,
      guards: guards.ofLead(model),
      deltas: true,
      delegation,
      ...commonEnvelope(run),
    },
  }
}

/** What binds a run, as `run_started` tells it: never more than its lead may know of. */
export const effectivePolicies = (
  settings: RunSettings,
  options: CheckedRunOptions,
): EventFields['run_started']['effective_policies'] => ({
  subagents: scopeOf(settings, options).delegation?.types ?? [],
  skills: options.leader.skills,
  tool_groups: options.leader.toolGroups,
})

/**
 * What a lead may use and delegate: taken once, when the run starts, and kept to until it ends. A lead that can start
 * nobody has no `task`. Source: decision 24.
 */
const scopeOf = (
  { config, catalog, thread }: RunSettings,
  { leader, subagentEnabled, maxConcurrent, maxTotal }: CheckedRunOptions,
) => {
  const tools = toolsOfGroups(thread.tools, leader.toolGroups)
  const callable = callableBy(leader, catalog, tools)
  const { overflow } = config.subagents
  const { unavailable } = callable
  const types = callable.subagents.map(({ name }) => name)
  const mayDelegate = subagentEnabled && types.length > 0
  return { tools, callable, delegation: mayDelegate ? { maxConcurrent, maxTotal, overflow, types, unavailable } : null }
}

/** Groups of the tools that see the folders of a conversation. */
const FILE_GROUPS: readonly (string | null | undefined)[] = ['file', 'bash']

const reachesFiles = ({ tool }: RunSettings, tools: readonly string[]): boolean =>
  tools.some((name) => FILE_GROUPS.includes(tool(name)?.group))

/** A subagent for one `task` call: inherits the lead's scope, narrowed, and its model unless it has its own. */
export const planTask = (run: RunState, ask: DelegationAsk): Plan | { readonly error: string } => {
  const policy = run.lead?.envelope.delegation ?? { types: [], unavailable: [] }
  const definition = run.settings.catalog.find(({ name }) => name === ask.subagentType)
  const error = refusalOfType(ask.subagentType, policy)
  if (error !== null || !definition) return { error: error ?? `Subagent type '${ask.subagentType}' is gone` }
  const modelName = definition.model === 'inherit' ? (run.lead?.modelName ?? '') : definition.model
  const budget = definition.tokenBudget
  const tools = narrowTools(run.lead?.envelope.tools ?? [], definition)
  const maxTurns = Math.min(definition.maxTurns, ask.maxTurns ?? definition.maxTurns)
  return {
    taskId: ask.callId,
    subagentType: definition.name,
    description: ask.description,
    modelName,
    limits: {
      max_turns: maxTurns,
      timeout_seconds: definition.timeoutSeconds,
      token_budget: budget?.maxTokens ?? null,
    },
    envelope: {
      role: 'subagent',
      taskId: ask.callId,
      agent: definition.name,
      model: modelName,
      system: subagentPrompt(definition, reachesFiles(run.settings, tools)),
      prompt: ask.prompt,
      tools,
      maxTurns,
      guards: run.settings.guards.ofTask(modelName, budget),
      deltas: run.deltas,
      delegation: null,
      ...commonEnvelope(run),
    },
  }
}

const commonEnvelope = (run: RunState) => ({
  runId: run.id,
  threadId: run.threadId,
  settings: run.settings.thread.revision,
  traceparent: run.traceparent,
  states: run.states,
})
