import type { ToolModule } from '../contract/tools.ts'

interface Invocable {
  invoke(input: unknown, config?: unknown): Promise<unknown>
}

const isInvocable = (value: unknown): value is Invocable =>
  typeof value === 'object' && value !== null && 'invoke' in value && typeof value.invoke === 'function'

const load = async ({ url, export: name }: ToolModule): Promise<Invocable> => {
  const module: Record<string, unknown> = await import(url)
  const tool = module[name]
  if (!isInvocable(tool)) throw new Error(`${name} is not a LangChain tool`)
  return tool
}

const loaded = new Map<string, Promise<Invocable>>()

/** A user's tool with `placement: worker`, loaded once per thread. Recognised by shape: realms and copies differ. */
export const importTool = (module: ToolModule): Promise<Invocable> => {
  const key = `${module.url}#${module.export}`
  const tool = loaded.get(key) ?? load(module)
  loaded.set(key, tool)
  return tool
}
