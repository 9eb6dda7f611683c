import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, type Problem } from '../contract/errors.ts'
import type { ToolModule } from '../contract/tools.ts'
import { problem } from './checks/tree.ts'

/** Where `module#export` lives, seen from the config's folder: a file, or a package installed there. */
export const resolveUse = async (use: string, baseDir: string): Promise<ToolModule> => {
  const { resolve } = await import('import-meta-resolve')
  return { url: resolve(moduleOf(use), pathToFileURL(join(baseDir, 'config.yaml')).href), export: exportOf(use) }
}

const moduleOf = (use: string): string => use.slice(0, use.lastIndexOf('#'))
const exportOf = (use: string): string => use.slice(use.lastIndexOf('#') + 1)

/** The problem of a `use` that `resolveUse` threw on, with the way out. */
export const moduleMissing = (path: string, use: string, baseDir: string, thrown: unknown): Problem => {
  const found = problem('error', path, 'module_missing', `cannot be found: ${whyMissing(baseDir, thrown)}`)
  // Without ./ a path reads as the name of a package.
  return existsSync(join(baseDir, moduleOf(use))) ? { ...found, nearest: `./${use}` } : found
}

const whyMissing = (baseDir: string, thrown: unknown): string => {
  const name = /^Cannot find package '(.+?)'/.exec(messageOf(thrown))?.[1]
  return name === undefined
    ? messageOf(thrown)
    : `the package ${name} is not installed for ${baseDir} (npm install ${name}); a file begins with ./ or /`
}
