import type { Problem } from '../contract/errors.ts'
import type { ToolModule } from '../contract/tools.ts'
import { problem } from './checks/tree.ts'
import type { Config, ToolConfig } from './config.ts'
import { BUILTIN_TOOLS } from './names.ts'
import { moduleMissing, resolveUse } from './resolve-use.ts'
import { milliseconds } from './settings.ts'

/** A tool of the user's, found but not loaded. */
export interface ToolEntry {
  /** Dotted path of the entry, such as `tools.0`. */
  readonly path: string
  readonly name: string
  readonly group: string | null
  readonly module: ToolModule
  readonly placement: 'isolated' | 'worker'
  readonly timeoutMs: number
  readonly deferred: boolean
}

const COMMANDS_OFF = 'is left out: tools of the group bash run commands, which needs sandbox.allow_host_bash: true'

/** Finds the module of every tool. `taken` are names that come before the config's, beside the built-in tools. */
export const toToolEntries = async (
  { tools, sandbox }: Config,
  baseDir: string,
  taken: readonly string[] = [],
): Promise<{ readonly tools: readonly ToolEntry[]; readonly problems: readonly Problem[] }> => {
  const found: ToolEntry[] = []
  const problems: Problem[] = []
  for (const [index, tool] of tools.entries()) {
    const path = `tools.${index}`
    const isRepeated = tools.findIndex(({ name }) => name === tool.name) < index
    if (BUILTIN_TOOLS.includes(tool.name) || isRepeated) continue
    if (taken.includes(tool.name)) {
      problems.push(problem('warning', `${path}.name`, 'name_taken', `is left out: "${tool.name}" is one of hostTools`))
      continue
    }
    // What is in the group of bash runs commands, whatever it is called.
    if (tool.group === 'bash' && !sandbox.allow_host_bash) {
      problems.push(problem('warning', `${path}.group`, 'commands_off', COMMANDS_OFF))
      continue
    }
    try {
      found.push({ path, ...(await toEntry(tool, baseDir)) })
    } catch (error) {
      problems.push(moduleMissing(`${path}.use`, tool.use, baseDir, error))
    }
  }
  return { tools: found, problems }
}

const toEntry = async (tool: ToolConfig, baseDir: string): Promise<Omit<ToolEntry, 'path'>> => ({
  name: tool.name,
  group: tool.group,
  module: await resolveUse(tool.use, baseDir),
  placement: tool.placement,
  timeoutMs: milliseconds(tool.timeout_seconds),
  deferred: tool.deferred,
})
