import type { Problem } from '../contract/errors.ts'
import type { Config } from './config.ts'
import { copyTree } from './copy.ts'
import type { Env } from './env.ts'
import type { Tree } from './prepare.ts'
import { type ConfigOptions, type ConfigSource, locate, readText } from './source.ts'

export interface ReadConfig {
  /** `null` when there is an error among the problems. */
  readonly config: Config | null
  /** What the user wrote, as far as it could be read. */
  readonly tree: Tree
  readonly env: Env
  /** Absolute folder that relative paths of the config start from. */
  readonly baseDir: string
  readonly source: ConfigSource
  readonly problems: readonly Problem[]
}

/** Finds, reads and checks a config; says all that is wrong with it and throws nothing. */
export const readConfig = async ({
  config,
  env = process.env,
  cwd = process.cwd(),
  managedAgents = [],
  hostTools = [],
}: ConfigOptions): Promise<ReadConfig> => {
  const { source, baseDir, content } = locate({ config, env, cwd })
  const found = 'path' in content ? await readFileTree(content.path, content.namedBy) : copyTree(content.object)
  if ('problems' in found) return { config: null, tree: {}, env, baseDir, source, problems: found.problems }
  // Not loaded before a config is: the schema costs more to build than all else here.
  const { validate } = await import('./validate.ts')
  return { ...(await validate(found.tree, { env, baseDir, managedAgents, hostTools })), env, baseDir, source }
}

const readFileTree = async (path: string, namedBy: string) => {
  const [file, { parseYaml }] = await Promise.all([readText(path, namedBy), import('./yaml.ts')])
  return 'problems' in file ? file : parseYaml(file.text)
}
