import { buildCatalog } from '../../src/catalog/catalog.ts'
import type { AgentDefinition } from '../../src/catalog/definition.ts'
import { loadConfig } from '../../src/config/load.ts'

export const catalogOf = async (config: object): Promise<readonly AgentDefinition[]> =>
  buildCatalog((await loadConfig({ config, env: { OPENAI_API_KEY: 'k' } })).config)

export const find = (catalog: readonly AgentDefinition[], wanted: string): AgentDefinition => {
  const definition = catalog.find(({ name }) => name === wanted)
  if (!definition) throw new Error(`no ${wanted} among ${catalog.map(({ name }) => name).join(', ')}`)
  return definition
}
