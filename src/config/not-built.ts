import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Problem } from '../contract/errors.ts'
import { problem, spots } from './checks/tree.ts'
import type { Tree } from './prepare.ts'
import { configSchema } from './schema.ts'
import { schemaAt } from './shape.ts'

/** What a config may hold already but nothing acts on yet. Whoever builds a part deletes its row. */
const NOT_BUILT: readonly string[] = [
  'tools.*.deferred',
  'subagents.agents.*.skills',
  'subagents.custom_agents.*.skills',
  'agents.*.skills',
  'agent_storage',
  'summarization.skill_file_read_tool_names',
  'tool_search',
  'skills',
  'memory',
  'sandbox.use',
  'sandbox.network',
  'web',
  'acp_agents',
  'mcp_servers',
  'http',
]

/** One warning for each of these that the user set to something else than its default. */
export const warnNotBuilt = (tree: Tree): readonly Problem[] =>
  NOT_BUILT.flatMap((pattern) => {
    const spot = spots(tree, pattern).find(({ keys, value }) => differs(keys, value))
    return spot === undefined
      ? []
      : [problem('warning', spot.path, 'not_built', 'is not built yet: it is checked, but has no effect')]
  })

const differs = (keys: readonly string[], value: unknown): boolean => {
  const schema = schemaAt(configSchema, keys)
  if (schema === undefined) return false
  const given = z.safeParse(schema, value, { jitless: true })
  return given.success && !isDeepStrictEqual(given.data, z.safeParse(schema, undefined, { jitless: true }).data)
}
