import type { DelegationAsk } from '../contract/envelopes.ts'
import { isBlank, oneLine } from './bound.ts'

export type TaskAsk = Omit<DelegationAsk, 'callId'>
export type TaskArguments = { readonly ok: true; readonly ask: TaskAsk } | { readonly ok: false; readonly error: string }

const DEFAULT_TYPE = 'general-purpose'
const DESCRIPTION_MAX = 60

const wrong = (error: string): TaskArguments => ({ ok: false, error })

/** The first of `names` that is there; a null counts as left out, as models send it for an optional argument. */
const pick = (args: Readonly<Record<string, unknown>>, ...names: string[]): { name: string; value: unknown } => {
  const name = names.find((key) => args[key] !== undefined && args[key] !== null) ?? names[0] ?? ''
  return { name, value: args[name] ?? undefined }
}

const turnsOf = (value: unknown): number | null | undefined => {
  if (value === undefined) return null
  const turns = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof turns === 'number' && Number.isInteger(turns) && turns >= 1 ? turns : undefined
}

/** Reads the arguments of `task` under every name a model may use for them. Source: decision 1. */
export const readTaskArguments = (args: Readonly<Record<string, unknown>>): TaskArguments => {
  const prompt = pick(args, 'prompt', 'task')
  if (typeof prompt.value !== 'string' || isBlank(prompt.value)) {
    return wrong(`the argument "${prompt.name}" is required: a text that tells the subagent all it needs to know`)
  }
  const type = pick(args, 'subagent_type', 'agent')
  if (type.value !== undefined && typeof type.value !== 'string') return wrong(`the argument "${type.name}" must be a text`)
  const { value: description } = pick(args, 'description')
  if (description !== undefined && typeof description !== 'string') return wrong('the argument "description" must be a text')
  const { value: context } = pick(args, 'context')
  if (context !== undefined && typeof context !== 'string') return wrong('the argument "context" must be a text')
  const maxTurns = turnsOf(pick(args, 'max_turns').value)
  if (maxTurns === undefined) return wrong('the argument "max_turns" must be a whole number of at least 1')
  return {
    ok: true,
    ask: {
      description: oneLine(description && !isBlank(description) ? description : prompt.value, description ? 200 : DESCRIPTION_MAX),
      prompt: context && !isBlank(context) ? `${prompt.value}\n\n## Context\n\n${context}` : prompt.value,
      subagentType: type.value?.trim() || DEFAULT_TYPE,
      maxTurns,
    },
  }
}
