import * as z from 'zod/mini'
import type { Problem } from '../contract/errors.ts'
import { checkAgents } from './checks/agents.ts'
import { checkBudgets } from './checks/budgets.ts'
import { checkModels } from './checks/models.ts'
import { checkMounts } from './checks/mounts.ts'
import { checkSummarization } from './checks/summarization.ts'
import { checkToolNames } from './checks/tool-names.ts'
import { checkTools } from './checks/tools.ts'
import type { Config } from './config.ts'
import { modelsOf } from './defaults.ts'
import type { Env } from './env.ts'
import { explain, issueText } from './issues.ts'
import { BUILTIN_AGENTS } from './names.ts'
import { warnNotBuilt } from './not-built.ts'
import { isTree, prepare, type Tree } from './prepare.ts'
import { warnReferences } from './references.ts'
import { configSchema } from './schema.ts'

interface Surroundings {
  readonly env: Env
  readonly baseDir: string
  readonly managedAgents: readonly string[]
  readonly hostTools: readonly string[]
}

interface Validated {
  readonly config: Config | null
  readonly tree: Tree
  readonly problems: readonly Problem[]
}

/** Checks a tree against the schema and each part against the others; errors come first. */
export const validate = async (
  written: unknown,
  { env, baseDir, managedAgents, hostTools }: Surroundings,
): Promise<Validated> => {
  const prepared = prepare(configSchema, written)
  const { tree, problems: withoutModels } = isTree(prepared) ? modelsOf(prepared, env) : { tree: {}, problems: [] }
  // `jitless`: compiling a parser for one parse costs more than the parse.
  const parsed = z.safeParse(configSchema, isTree(prepared) ? tree : prepared, {
    error: issueText,
    reportInput: true,
    jitless: true,
  })
  const problems = once([
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => explain(configSchema, issue))),
    ...withoutModels,
    ...checkModels(tree),
    ...checkBudgets(tree),
    ...checkSummarization(tree),
    ...(await checkMounts(tree, baseDir)),
    ...checkAgents(tree, managedAgents),
    ...checkTools(tree),
    ...checkToolNames(tree, hostTools),
    ...warnReferences(tree, env),
    ...warnNotBuilt(tree),
  ])
  const errors = problems.filter(({ level }) => level === 'error')
  const warnings = problems.filter(({ level }) => level === 'warning')
  return {
    config: parsed.success && errors.length === 0 ? withoutShadowed(parsed.data) : null,
    tree,
    problems: [...errors, ...warnings],
  }
}

/** Two rules that one value breaks are one problem where they say the same. */
const once = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((each) => [`${each.path}\n${each.message}`, each])).values(),
]

/** Built-in agents win over custom ones of the same name. */
const withoutShadowed = (config: Config): Config => {
  const custom = Object.entries(config.subagents.custom_agents).filter(([name]) => !BUILTIN_AGENTS.includes(name))
  return { ...config, subagents: { ...config.subagents, custom_agents: Object.fromEntries(custom) } }
}
