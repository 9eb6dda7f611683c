import { type Callable, callableBy } from '../../src/catalog/access.ts'
import { buildCatalog } from '../../src/catalog/catalog.ts'
import type { AgentDefinition } from '../../src/catalog/definition.ts'
import { loadConfig } from '../../src/config/load.ts'
import { BASH_TOOL, FILE_TOOLS } from '../../src/tools/manifest.ts'

/** The tools there are: those of Troupe, and two of the user's. */
const TOOLS = [...FILE_TOOLS, BASH_TOOL, { name: 'lookup', group: 'web' }, { name: 'loose', group: null }]

export const catalogOf = async (config: object): Promise<readonly AgentDefinition[]> =>
  buildCatalog((await loadConfig({ config, env: { OPENAI_API_KEY: 'k' } })).config, TOOLS)

export const find = (catalog: readonly AgentDefinition[], wanted: string): AgentDefinition => {
  const definition = catalog.find(({ name }) => name === wanted)
  if (!definition) throw new Error(`no ${wanted} among ${catalog.map(({ name }) => name).join(', ')}`)
  return definition
}

/** What the default lead may call. */
export const callable = (catalog: readonly AgentDefinition[]): Callable =>
  callableBy(
    { name: null, access: 'all' },
    catalog,
    TOOLS.map(({ name }) => name),
  )
