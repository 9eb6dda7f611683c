import type { Problem } from '../contract/errors.ts'
import { problem, spots } from './checks/tree.ts'
import { type Env, looksPartial, resolveReference, variableOf } from './env.ts'
import { referenceKind, whyUnfit } from './fields.ts'
import { isTree, type Tree } from './prepare.ts'
import { configSchema } from './schema.ts'
import { bare, childOf, type Schema } from './shape.ts'

interface Found {
  readonly path: string
  readonly value: string
  readonly kind: NonNullable<ReturnType<typeof referenceKind>>
}

const referencesIn = (schema: Schema, value: unknown, path: string): readonly Found[] => {
  if (typeof value === 'string') {
    const kind = referenceKind(bare(schema).schema)
    return kind === undefined ? [] : [{ path, value, kind }]
  }
  if (!isTree(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const child = childOf(schema, Array.isArray(value) ? Number(key) : key)
    return child === undefined ? [] : referencesIn(child, item, path === '' ? key : `${path}.${key}`)
  })
}

/** The parts that are switched off, whose variables nobody needs. */
const idle = (tree: Tree): readonly string[] =>
  [
    ...spots(tree, 'mcp_servers.*').filter(({ value }) => isTree(value) && value['enabled'] === false),
    ...spots(tree, 'sandbox')
      .filter(({ value }) => isTree(value) && value['allow_host_bash'] !== true)
      .map(({ path }) => ({ path: `${path}.env` })),
    ...spots(tree, 'web').filter(({ value }) => isTree(value) && value['enabled'] !== true),
  ].map(({ path }) => `${path}.`)

const inUse = (tree: Tree): readonly Found[] => {
  const off = idle(tree)
  return referencesIn(configSchema, tree, '').filter(({ path }) => !off.some((start) => path.startsWith(start)))
}

/** One warning for each variable that a part in use names and the environment lacks. */
export const warnUnset = (tree: Tree, env: Env): readonly Problem[] =>
  inUse(tree).flatMap(({ path, value }) => {
    const found = resolveReference(value, env)
    return 'unset' in found
      ? [problem('warning', path, 'env_unset', `the environment variable ${found.unset} is not set`)]
      : []
  })

/** One warning for each value that is no reference though it looks like one, or whose variable cannot serve. */
export const warnReferences = (tree: Tree, env: Env): readonly Problem[] =>
  inUse(tree).flatMap(({ path, value, kind }) => {
    if (looksPartial(value))
      return [
        problem(
          'warning',
          path,
          'reference_partial',
          'is taken as written: only a value that is $NAME as a whole is looked up in the environment',
        ),
      ]
    const variable = variableOf(value)
    const found = resolveReference(value, env)
    const why = variable === null || 'unset' in found ? null : whyUnfit(kind, found.value)
    return why === null ? [] : [problem('warning', path, 'env_invalid', `the environment variable ${variable} ${why}`)]
  })
