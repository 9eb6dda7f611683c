import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { ModelSettings, OutputSettings, UnsetVariable } from '../contract/settings.ts'
import type { Mount, ToolModule } from '../contract/tools.ts'
import type { Config, ModelConfig } from './config.ts'
import { DEFAULT_BASE_URL } from './defaults.ts'
import { type Env, resolveReference } from './env.ts'

type Modules = ReadonlyMap<string, ToolModule>

/**
 * The models with the values of their variables. The first variable that is unset is named, for the run that needs it.
 * `modules`: where each `use` was found.
 */
export const toModelSettings = (config: Config, env: Env, modules: Modules): readonly ModelSettings[] =>
  config.models.map((model, index) => toModel(model, `models.${index}`, env, modules))

const toModel = (model: ModelConfig, path: string, env: Env, modules: Modules): ModelSettings => {
  const unset: UnsetVariable[] = []
  const look = (key: 'api_key' | 'base_url' | 'model'): string | null => {
    const written = model[key]
    if (written === null) return null
    const found = resolveReference(written, env)
    if ('value' in found) return found.value
    unset.push({ variable: found.unset, path: `${path}.${key}` })
    return null
  }
  const [apiKey, baseUrl, id] = [look('api_key'), look('base_url'), look('model')]
  return {
    name: model.name,
    model: id ?? '',
    use: model.use === null ? null : (modules.get(model.use) ?? null),
    baseUrl: (baseUrl ?? (model.use === null ? DEFAULT_BASE_URL : '')).replace(/\/+$/, ''),
    apiKey,
    unset: unset[0] ?? null,
    maxRetries: model.max_retries,
    ...limitsOf(model),
    reasoningReplay: model.reasoning_replay,
    fallbacks: model.fallbacks,
  }
}

/** A model that thinks before it writes is silent for longer than between two of its words. */
const FIRST_BYTE_IDLES = 2

const limitsOf = (model: ModelConfig) => {
  const streamIdleTimeoutMs = milliseconds(model.stream_idle_timeout_seconds)
  const { first_byte_timeout_seconds: first } = model
  return {
    connectTimeoutMs: milliseconds(model.connect_timeout_seconds),
    firstByteTimeoutMs: first === null ? FIRST_BYTE_IDLES * streamIdleTimeoutMs : milliseconds(first),
    streamIdleTimeoutMs,
    timeoutMs: milliseconds(model.timeout_seconds),
  }
}

export const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

/** The mounted folders as absolute paths of this machine. */
export const toMounts = (config: Config, baseDir: string): readonly Mount[] =>
  config.sandbox.mounts.map(({ host, path, writable }) => ({
    host: resolve(baseDir, host),
    path,
    writable,
    hidden: [],
  }))

export const toOutputSettings = ({ tool_output: output }: Config): OutputSettings => ({
  enabled: output.enabled,
  externalizeMinChars: output.externalize_min_chars,
  previewHeadChars: output.preview_head_chars,
  previewTailChars: output.preview_tail_chars,
  fallbackMaxChars: output.fallback_max_chars,
  fallbackHeadChars: output.fallback_head_chars,
  fallbackTailChars: output.fallback_tail_chars,
  storageSubdir: output.storage_subdir,
  exemptTools: output.exempt_tools,
  toolOverrides: output.tool_overrides,
})

export interface RuntimeSettings {
  readonly threads: number
  readonly agentsPerThread: number
  readonly toolProcesses: number
  readonly toolMemoryMb: number
  /** Commands of agents that run at once. */
  readonly commands: number
  readonly graceMs: number
  readonly wedgedMs: number
}

/** The sizes of a runtime; those left open follow the number of cores. */
export const toRuntimeSettings = ({ runtime }: Config, cores = availableParallelism()): RuntimeSettings => ({
  threads: runtime.threads ?? Math.max(1, Math.min(4, cores - 1)),
  agentsPerThread: runtime.agents_per_thread,
  toolProcesses: runtime.tool_processes ?? Math.max(2, cores),
  toolMemoryMb: runtime.tool_memory_mb,
  commands: runtime.commands,
  graceMs: runtime.grace_ms,
  wedgedMs: runtime.wedged_ms,
})
