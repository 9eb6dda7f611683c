import type { AgentEnvelope } from '../contract/envelopes.ts'
import type { ModelSettings, ThreadSettings } from '../contract/settings.ts'
import { createKinds, type Member } from './kinds.ts'

/** One revision of the settings, ready to look things up in. */
export interface Toolbox {
  readonly settings: ThreadSettings
  model(name: string): ModelSettings | undefined
  /** What to try next, in order, when this model fails. */
  fallbacks(model: ModelSettings): readonly ModelSettings[]
  /** An agent with what it has in common with others of its kind. */
  member(envelope: AgentEnvelope): Member
  /** The tool's place in the settings, counted from 1, as shared memory names it. */
  place(name: string): number
}

const NONE: readonly ModelSettings[] = []

export const createToolbox = (settings: ThreadSettings): Toolbox => {
  const models = new Map(settings.models.map((model) => [model.name, model]))
  const specs = new Map(settings.tools.map((spec) => [spec.name, spec]))
  const places = new Map(settings.tools.map((spec, index) => [spec.name, index + 1]))
  return {
    settings,
    model: (name) => models.get(name),
    fallbacks: ({ fallbacks }) => (fallbacks.length === 0 ? NONE : fallbacks.flatMap((name) => models.get(name) ?? [])),
    member: createKinds((name) => specs.get(name)),
    place: (name) => places.get(name) ?? 0,
  }
}
