import type { Problem } from '../../contract/errors.ts'
import { nearest } from '../nearest.ts'
import { isTree, type Tree } from '../prepare.ts'

/** One value, with the keys that lead to it and the same as a dotted path. */
export interface Spot {
  readonly keys: readonly string[]
  readonly path: string
  readonly key: string
  readonly value: unknown
}

/**
 * What stands at a pattern such as `models.*.fallbacks.*`. Sees nothing where the tree has another form, so that a check
 * speaks even when other keys are wrong.
 */
export const spots = (tree: unknown, pattern: string): readonly Spot[] =>
  pattern
    .split('.')
    .reduce<readonly Spot[]>(
      (found, part) => found.flatMap((spot) => step(spot, part)),
      [{ keys: [], path: '', key: '', value: tree }],
    )

const step = ({ keys: above, value }: Spot, part: string): readonly Spot[] => {
  if (!isTree(value) && !Array.isArray(value)) return []
  const items: Tree = value as Tree
  const keys = part === '*' ? Object.keys(items) : Object.hasOwn(items, part) ? [part] : []
  return keys.map((key) => ({ keys: [...above, key], path: [...above, key].join('.'), key, value: items[key] }))
}

/** The text values at a pattern. */
export const texts = (tree: unknown, pattern: string): readonly (Spot & { readonly value: string })[] =>
  spots(tree, pattern).filter((spot): spot is Spot & { readonly value: string } => typeof spot.value === 'string')

export const problem = (
  level: Problem['level'],
  path: string,
  code: string,
  message: string,
  near?: string,
): Problem => ({
  level,
  path,
  code,
  message,
  ...(near !== undefined && { nearest: near }),
})

export const unknownName = (
  level: Problem['level'],
  kind: string,
  { path, value }: { readonly path: string; readonly value: string },
  known: readonly string[],
): Problem => {
  const all = known.length === 0 ? '' : ` (known: ${known.join(', ')})`
  return problem(level, path, `unknown_${kind}`, `names no known ${kind}: "${value}"${all}`, nearest(value, known))
}
