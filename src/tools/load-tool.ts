import type { JsonSchema, ToolModule } from '../contract/tools.ts'
import { loadExport } from './load-export.ts'

/** A LangChain tool by its shape: the module may bring a copy of LangChain of its own, so `instanceof` says nothing. */
export interface ModuleTool {
  readonly name: string
  readonly description?: unknown
  readonly schema?: unknown
  invoke(input: unknown, config: unknown): unknown
}

const isTool = (value: unknown): value is ModuleTool => {
  const tool = value as ModuleTool | null | undefined
  return typeof tool?.invoke === 'function' && typeof tool.name === 'string' && tool.name !== ''
}

/** Zod, any version, and other schema libraries mark their objects; what bears no mark is JSON Schema as it stands. */
export const isPlainSchema = (schema: unknown): schema is JsonSchema =>
  typeof schema === 'object' &&
  schema !== null &&
  !('_zod' in schema) &&
  !('_def' in schema) &&
  !('~standard' in schema)

/** Without this a LangChain tool with a plain JSON Schema says only that its input is wrong, and not where. */
const explainRefusals = (tool: ModuleTool): void => {
  if (isPlainSchema(tool.schema) && 'verboseParsingErrors' in tool) tool.verboseParsingErrors = true
}

const load = async (module: ToolModule): Promise<ModuleTool> => {
  const tool = await loadExport(module)
  if (!isTool(tool))
    throw new Error(`the export '${module.export}' is no tool: a tool has a 'name' and a function 'invoke'`)
  explainRefusals(tool)
  return tool
}

const loaded = new Map<string, Promise<ModuleTool>>()

/** A user's tool, read once per thread or process, the same wherever it runs. */
export const loadTool = (module: ToolModule): Promise<ModuleTool> => {
  const key = `${module.url}#${module.export}`
  const tool = loaded.get(key) ?? load(module)
  loaded.set(key, tool)
  return tool
}
