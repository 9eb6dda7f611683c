import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Problem } from '../contract/errors.ts'
import { problem, spots } from './checks/tree.ts'
import type { Tree } from './prepare.ts'
import { configSchema } from './schema.ts'
import { schemaAt } from './shape.ts'

/** What a config may hold already but nothing acts on yet. Whoever builds a part deletes its row. */
const NOT_BUILT: readonly string[] = [
  'models.*.context_window',
  'tools.*.deferred',
  'subagents.overflow',
  'subagents.wrap_up',
  'subagents.token_budget',
  'subagents.agents.*.skills',
  'subagents.agents.*.token_budget',
  'subagents.custom_agents',
  'agents',
  'agent_storage',
  'loop_detection',
  'token_budget',
  'summarization',
  'tool_search',
  'tool_output',
  'skills',
  'memory',
  'sandbox.use',
  'sandbox.allow_host_bash',
  'sandbox.network',
  'sandbox.bash_timeout_seconds',
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
