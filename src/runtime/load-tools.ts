import type { Config } from '../config/config.ts'
import { type ToolEntry, toToolEntries } from '../config/tools.ts'
import type { HostTool } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'
import type { ToolSpec } from '../contract/tools.ts'
import { hostBashAllowed } from '../policy/bash-gate.ts'
import { BASH_TOOL, FILE_TOOLS } from '../tools/manifest.ts'
import { TASK_TOOL } from '../tools/task-tool.ts'
import { ASK_CLARIFICATION, PRESENT_FILES } from '../tools/user-tools.ts'
import { hostToolSpecs } from './host-tools.ts'
import type { ToolProcesses } from './tool-processes/pool.ts'

/** Milliseconds the tool modules have to load before `createRuntime` gives up on them. */
const LOAD_MS = 10_000

export interface LoadedTools {
  /** In the order shown to models: built-in, the host's, the config's. */
  readonly specs: readonly ToolSpec[]
  readonly problems: readonly Problem[]
}

/** Every tool of a config. The user's modules are read in a tool process, so none of their code runs on the host. */
export const loadTools = async (
  config: Config,
  baseDir: string,
  hostTools: readonly HostTool[],
  processes: ToolProcesses,
): Promise<LoadedTools> => {
  const commands = hostBashAllowed(config.sandbox) ? [BASH_TOOL] : []
  const builtins = [TASK_TOOL, ...FILE_TOOLS, ...commands, PRESENT_FILES, ASK_CLARIFICATION]
  const taken = new Set(builtins.map(({ name }) => name))
  const free = hostTools.filter(({ name }, index) => {
    const isFree = !taken.has(name)
    taken.add(name)
    return isFree || hostTools.findIndex((other) => other.name === name) !== index
  })
  const host = await hostToolSpecs(free.filter(({ name }) => !builtins.some((builtin) => builtin.name === name)))
  const found = await toToolEntries(
    config,
    baseDir,
    host.map(({ name }) => name),
  )
  const described = await describe(found.tools, processes)
  return { specs: [...builtins, ...host, ...described.specs], problems: [...found.problems, ...described.problems] }
}

const describe = async (entries: readonly ToolEntry[], processes: ToolProcesses): Promise<LoadedTools> => {
  if (entries.length === 0) return { specs: [], problems: [] }
  const descriptions = await processes.describe(
    entries.map(({ module }) => module),
    LOAD_MS,
  )
  const specs: ToolSpec[] = []
  const problems: Problem[] = []
  for (const [index, entry] of entries.entries()) {
    const description = descriptions[index]
    if (!description?.ok) {
      const message = `cannot be loaded: ${description?.error ?? 'no answer'}`
      problems.push({ level: 'error', path: `${entry.path}.use`, code: 'tool_failed', message })
      continue
    }
    const { name, module, placement, timeoutMs, group } = entry
    specs.push({
      name,
      description: description.description,
      parameters: description.parameters,
      placement,
      timeoutMs,
      group,
      module,
    })
  }
  return { specs, problems }
}
