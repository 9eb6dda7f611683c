import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Problem } from '../contract/errors.ts'
import type { ToolModule } from '../contract/tools.ts'
import type { Config } from './config.ts'
import { moduleMissing, resolveUse } from './resolve-use.ts'

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
      const module = await resolveUse(use, baseDir)
      if (isGone(module)) throw new Error(`there is no file ${fileURLToPath(module.url)}`)
      modules.set(use, module)
    } catch (error) {
      problems.push(moduleMissing(`models.${index}.use`, use, baseDir, error))
    }
  }
  return { modules, problems }
}

/** A tool's module is read when a runtime starts, and missed then; that of a model only in its first run. */
const isGone = ({ url }: ToolModule): boolean => url.startsWith('file:') && !existsSync(new URL(url))
