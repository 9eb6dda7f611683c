import type { ToolModule } from '../contract/tools.ts'

const known = (names: readonly string[]): string =>
  names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`

/** What `module#export` names. Throws with the exports that are there, if this one is not. */
export const loadExport = async ({ url, export: name }: ToolModule): Promise<unknown> => {
  const module = (await import(url)) as Record<string, unknown>
  if (!(name in module)) throw new Error(`the module has no export '${name}'; ${known(Object.keys(module))}`)
  return module[name]
}
