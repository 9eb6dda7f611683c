import type { ToolModule } from '../contract/tools.ts'

/** A provider's package exports forty things and more. */
const NAMED_MAX = 12

const known = (names: readonly string[]): string => {
  if (names.length === 0) return 'it exports nothing'
  const more = names.length - NAMED_MAX
  return `it exports ${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const hint = (name: string, names: readonly string[]): string => {
  const meant = names.find((each) => each.toLowerCase() === name.toLowerCase())
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`
}

/** What `module#export` names. Throws with the exports that are there, if this one is not. */
export const loadExport = async ({ url, export: name }: ToolModule): Promise<unknown> => {
  const module = (await import(url)) as Record<string, unknown>
  const names = Object.keys(module)
  if (!(name in module)) throw new Error(`the module has no export '${name}'${hint(name, names)}; ${known(names)}`)
  return module[name]
}
