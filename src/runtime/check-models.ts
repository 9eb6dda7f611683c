import type { LoadedConfig } from '../config/load.ts'
import { toModelModules } from '../config/model-modules.ts'
import { toRuntimeSettings } from '../config/settings.ts'
import type { Problem } from '../contract/errors.ts'
import { createToolProcesses } from './tool-processes/pool.ts'

const LOAD_MS = 30_000

/**
 * What is wrong with the LangChain chat models that a config names, seen by loading their modules. For `troupe check`: a
 * runtime finds the modules only and loads them when a model is first asked, because a provider's package takes half a
 * second. In a process of their own, with the whole environment: a model may want its key as soon as it is loaded.
 */
export const checkModels = async (
  { config, baseDir }: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Problem[]> => {
  const { modules, problems } = await toModelModules(config, baseDir)
  if (modules.size === 0) return problems
  const { toolMemoryMb: memoryMb, graceMs } = toRuntimeSettings(config)
  const url = new URL('./tool-process.js', import.meta.url)
  const processes = createToolProcesses({ url, count: 1, memoryMb, graceMs, env, cwd: baseDir })
  const uses = [...modules.keys()]
  const found = await processes.describe([...modules.values()], LOAD_MS, 'model').finally(() => processes.close())
  const wrong = new Map(found.flatMap((said, i) => (said.ok ? [] : [[uses[i] ?? '', said.error] as const])))
  return [...problems, ...config.models.flatMap(({ use }, index) => problemOf(index, wrong.get(use ?? '')))]
}

const problemOf = (index: number, error: string | undefined): readonly Problem[] =>
  error === undefined
    ? []
    : [{ level: 'error', path: `models.${index}.use`, code: 'model_failed', message: `cannot be loaded: ${error}` }]
