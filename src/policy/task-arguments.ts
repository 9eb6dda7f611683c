import type { DelegationAsk } from '../contract/envelopes.ts'
import { isBlank, oneLine } from './bound.ts'

export type TaskAsk = Omit<DelegationAsk, 'callId'>
export type TaskArguments =
  | { readonly ok: true; readonly ask: TaskAsk }
  | { readonly ok: false; readonly error: string }

export const DEFAULT_TYPE = 'general-purpose'
const DESCRIPTION_MAX = 200
/** Of a prompt, where the description was left out. */
const FIRST_WORDS_MAX = 60

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

const OPTIONAL_TEXTS = [['subagent_type', 'agent'], ['description'], ['context']] as const

/** Reads the arguments of `task` under every name a model may use for them. Source: decision 1. */
export const readTaskArguments = (args: Readonly<Record<string, unknown>>): TaskArguments => {
  const prompt = pick(args, 'prompt', 'task')
  if (typeof prompt.value !== 'string' || isBlank(prompt.value)) {
    return wrong(`the argument "${prompt.name}" is required: a text that tells the subagent all it needs to know`)
  }
  const optional = OPTIONAL_TEXTS.map((names) => pick(args, ...names))
  const notText = optional.find(({ value }) => value !== undefined && typeof value !== 'string')
  if (notText) return wrong(`the argument "${notText.name}" must be a text`)
  const maxTurns = turnsOf(pick(args, 'max_turns').value)
  if (maxTurns === undefined) return wrong('the argument "max_turns" must be a whole number of at least 1')
  const [type = '', description = '', context = ''] = optional.map(({ value }) => String(value ?? '').trim())
  return {
    ok: true,
    ask: {
      description: description === '' ? oneLine(prompt.value, FIRST_WORDS_MAX) : oneLine(description, DESCRIPTION_MAX),
      prompt: context === '' ? prompt.value : `${prompt.value}\n\n## Context\n\n${context}`,
      subagentType: type === '' ? DEFAULT_TYPE : type,
      maxTurns,
    },
  }
}
