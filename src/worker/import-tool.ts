import type { ToolModule } from '../contract/tools.ts'

interface Invocable {
  invoke(input: unknown, config?: unknown): Promise<unknown>
}

const isInvocable = (value: unknown): value is Invocable =>
  typeof value === 'object' && value !== null && 'invoke' in value && typeof value.invoke === 'function'

/** A user's tool with `placement: worker`, loaded once per thread. Recognised by shape: realms and copies differ. */
export const importTool = async ({ url, export: name }: ToolModule): Promise<Invocable> => {
  const module: Record<string, unknown> = await import(url)
  const tool = module[name]
  if (!isInvocable(tool)) throw new Error(`${name} is not a LangChain tool`)
  return tool
}
