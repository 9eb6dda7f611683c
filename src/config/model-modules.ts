import { messageOf, type Problem } from '../contract/errors.ts'
import type { ToolModule } from '../contract/tools.ts'
import { problem } from './checks/tree.ts'
import type { Config } from './config.ts'
import { resolveUse } from './tools.ts'

/** Where the LangChain chat models of a config live, by what their entries say. Found, but not loaded. */
export const toModelModules = async (
  { models }: Config,
  baseDir: string,
): Promise<{ readonly modules: ReadonlyMap<string, ToolModule>; readonly problems: readonly Problem[] }> => {
  const modules = new Map<string, ToolModule>()
  const problems: Problem[] = []
  for (const [index, { use }] of models.entries()) {
    if (use === null) continue
    try {
      modules.set(use, await resolveUse(use, baseDir))
    } catch (error) {
      problems.push(problem('error', `models.${index}.use`, 'module_missing', `cannot be found: ${messageOf(error)}`))
    }
  }
  return { modules, problems }
}
