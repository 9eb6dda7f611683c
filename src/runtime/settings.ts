import { buildCatalog } from '../catalog/catalog.ts'
import type { AgentDefinition } from '../catalog/definition.ts'
import type { Config } from '../config/config.ts'
import type { ThreadSettings } from '../contract/settings.ts'
import type { ToolSpec } from '../contract/tools.ts'
import { createGuardSettings, type GuardSettings } from './guards.ts'

/** What a run holds to from its start to its end, whatever happens to the config meanwhile. */
export interface RunSettings {
  readonly config: Config
  readonly catalog: readonly AgentDefinition[]
  readonly thread: ThreadSettings
  readonly guards: GuardSettings
  tool(name: string): ToolSpec | undefined
  /** Name of the tool at this place in the settings, counted from 1. */
  toolAt(place: number): string | null
}

export const createRunSettings = (config: Config, thread: ThreadSettings): RunSettings => {
  const tools = new Map(thread.tools.map((spec) => [spec.name, spec]))
  return {
    config,
    catalog: buildCatalog(config, thread.tools),
    thread,
    guards: createGuardSettings(config),
    tool: (name) => tools.get(name),
    toolAt: (place) => thread.tools[place - 1]?.name ?? null,
  }
}
