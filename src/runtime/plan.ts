import type { AgentDefinition } from '../catalog/definition.ts'
import { leadPrompt } from '../catalog/lead-prompt.ts'
import type { DelegationAsk } from '../contract/envelopes.ts'
import type { AgentLimits } from '../contract/events.ts'
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
  const { config, catalog, thread, guards } = run.settings
  const { model, subagentEnabled, maxConcurrent, maxTotal } = options
  const delegates = subagentEnabled && catalog.length > 0
  const tools = thread.tools.map(({ name }) => name).filter((name) => delegates || name !== 'task')
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
      system: leadPrompt(thread.mounts, delegates ? { subagents: catalog, maxConcurrent, maxTotal } : null),
      prompt,
      tools,
      maxTurns: config.lead.max_turns,
      guards: guards.ofLead(model),
      deltas: true,
      delegation: delegates ? { maxConcurrent, maxTotal, types: catalog.map(({ name }) => name) } : null,
    },
  }
}

/** A subagent for one `task` call: inherits the lead's scope, narrowed, and its model unless it has its own. */
export const planTask = (run: RunState, ask: DelegationAsk): Plan | { readonly error: string } => {
  const definition = run.settings.catalog.find(({ name }) => name === ask.subagentType)
  if (!definition) {
    const names = run.settings.catalog.map(({ name }) => name).join(', ')
    return { error: `Unknown subagent type '${ask.subagentType}'. Available: ${names}` }
  }
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
      tools: toolsOf(definition, run.lead?.envelope.tools ?? []),
      maxTurns,
      guards: run.settings.guards.ofTask(modelName, budget),
      deltas: run.deltas,
      delegation: null,
    },
  }
}

/** Each step only narrows: what the parent has, then what the definition allows, then what it denies. Never `task`. */
const toolsOf = ({ tools, disallowedTools }: AgentDefinition, parent: readonly string[]): readonly string[] =>
  parent.filter((name) => name !== 'task' && (tools?.includes(name) ?? true) && !disallowedTools.includes(name))

const commonEnvelope = (run: RunState) => ({
  runId: run.id,
  threadId: run.threadId,
  settings: run.settings.thread.revision,
  traceparent: run.traceparent,
  states: run.states,
})
