import { availableOf } from '../catalog/catalog.ts'
import { leadPrompt } from '../catalog/lead-prompt.ts'
import type { DelegationAsk, DelegationPolicy } from '../contract/envelopes.ts'
import type { AgentLimits } from '../contract/events.ts'
import { refusalOfType } from '../policy/delegation-refusal.ts'
import { narrowTools } from '../policy/narrow-tools.ts'
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
  const { model } = options
  const delegation = delegationOf(run, options)
  const tools = thread.tools.map(({ name }) => name).filter((name) => delegation !== null || name !== 'task')
  return {
    taskId: null,
    subagentType: 'lead',
    description: '',
    modelName: model,
    limits: leadLimits(run.settings),
    envelope: {
      ...commonEnvelope(run),
      role: 'lead',
      taskId: null,
      agent: 'lead',
      model,
      system: leadPrompt(thread.mounts, delegation && { ...delegation, subagents: availableOf(run.settings.catalog) }),
      prompt,
      tools,
      maxTurns: config.lead.max_turns,
      guards: guards.ofLead(model),
      deltas: true,
      delegation,
    },
  }
}

/** What the lead may delegate: taken once, when the run starts, and kept to until it ends. */
const delegationOf = (
  { settings: { config, catalog } }: RunState,
  { subagentEnabled, maxConcurrent, maxTotal }: CheckedRunOptions,
): DelegationPolicy | null => {
  if (!subagentEnabled) return null
  return {
    maxConcurrent,
    maxTotal,
    overflow: config.subagents.overflow,
    types: availableOf(catalog).map(({ name }) => name),
    unavailable: catalog.flatMap(({ name, unavailable: reason }) => (reason === null ? [] : [{ name, reason }])),
  }
}

/** A subagent for one `task` call: inherits the lead's scope, narrowed, and its model unless it has its own. */
export const planTask = (run: RunState, ask: DelegationAsk): Plan | { readonly error: string } => {
  const policy = run.lead?.envelope.delegation ?? { types: [], unavailable: [] }
  const definition = run.settings.catalog.find(({ name }) => name === ask.subagentType)
  const error = refusalOfType(ask.subagentType, policy)
  if (error !== null || !definition) return { error: error ?? `Subagent type '${ask.subagentType}' is gone` }
  const modelName = definition.model === 'inherit' ? (run.lead?.modelName ?? '') : definition.model
  const budget = definition.tokenBudget
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
      ...commonEnvelope(run),
      role: 'subagent',
      taskId: ask.callId,
      agent: definition.name,
      model: modelName,
      system: definition.systemPrompt,
      prompt: ask.prompt,
      tools: narrowTools(run.lead?.envelope.tools ?? [], definition),
      maxTurns,
      guards: run.settings.guards.ofTask(modelName, budget),
      deltas: run.deltas,
      delegation: null,
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
