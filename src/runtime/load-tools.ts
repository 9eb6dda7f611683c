import type { Config } from '../config/config.ts'
import { type ToolEntry, toToolEntries } from '../config/tools.ts'
import type { HostTool } from '../contract/api.ts'
import type { Problem } from '../contract/errors.ts'
import type { ToolDescription } from '../contract/tool-frames.ts'
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

export interface ToolLoader {
  /** Every tool of a config. The user's modules are read in a tool process, so none of their code runs on the host. */
  load(config: Config, baseDir: string, hostTools: readonly HostTool[]): Promise<LoadedTools>
}

export const createToolLoader = (processes: ToolProcesses): ToolLoader => {
  /** What the modules of the config before said: a module that is named again is not read again. */
  let known: Descriptions = new Map()
  return {
    async load(config, baseDir, hostTools) {
      const commands = hostBashAllowed(config.sandbox) ? [BASH_TOOL] : []
      const builtins = [TASK_TOOL, ...FILE_TOOLS, ...commands, PRESENT_FILES, ASK_CLARIFICATION]
      const isFree = whichAreFree(hostTools, builtins)
      const host = await hostToolSpecs(hostTools.filter((_, index) => isFree[index]))
      const names = host.map(({ name }) => name)
      const found = await toToolEntries(config, baseDir, names)
      known = await describe(found.tools, known, processes)
      const { specs, problems } = toSpecs(found.tools, known)
      return {
        specs: [...builtins, ...host, ...specs],
        problems: [...leftOut(hostTools, isFree), ...found.problems, ...problems],
      }
    },
  }
}

/** Of each of the host's tools whether its name was not taken when its turn came. */
const whichAreFree = (hostTools: readonly HostTool[], builtins: readonly ToolSpec[]): readonly boolean[] => {
  const taken = new Set(builtins.map(({ name }) => name))
  return hostTools.map(({ name }) => taken.size < taken.add(name).size)
}

const leftOut = (hostTools: readonly HostTool[], isFree: readonly (boolean | undefined)[]): readonly Problem[] =>
  hostTools.flatMap(({ name }, index) => {
    if (isFree[index]) return []
    const message = `is left out: "${name}" is a built-in tool, or an earlier one of hostTools`
    return [{ level: 'warning', path: `hostTools.${index}`, code: 'name_taken', message }]
  })

type Descriptions = ReadonlyMap<string, ToolDescription>

const keyOf = ({ module }: ToolEntry): string => `${module.url}#${module.export}`

const describe = async (
  entries: readonly ToolEntry[],
  known: Descriptions,
  processes: ToolProcesses,
): Promise<Descriptions> => {
  const unknown = entries.filter((entry) => known.get(keyOf(entry))?.ok !== true)
  const descriptions =
    unknown.length === 0
      ? []
      : await processes.describe(
          unknown.map(({ module }) => module),
          LOAD_MS,
        )
  const read = new Map(unknown.map((entry, index) => [keyOf(entry), descriptions[index]]))
  return new Map(
    entries.flatMap((entry) => {
      const description = read.get(keyOf(entry)) ?? known.get(keyOf(entry))
      return description ? [[keyOf(entry), description] as const] : []
    }),
  )
}

const toSpecs = (entries: readonly ToolEntry[], known: Descriptions): LoadedTools => {
  const specs: ToolSpec[] = []
  const problems: Problem[] = []
  for (const entry of entries) {
    const description = known.get(keyOf(entry))
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
