import type * as z from 'zod/mini'
import type { Problem } from '../contract/errors.ts'
import { nearest } from './nearest.ts'
import { isTree } from './prepare.ts'
import { keysOf, pathsOf, type Schema, schemaAt, wordsOf } from './shape.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be a map',
  record: 'must be a map',
}

const kindOf = (input: unknown): string => {
  if (Array.isArray(input)) return 'a list'
  if (isTree(input)) return 'a map'
  if (typeof input === 'symbol') return input.description ?? 'a symbol'
  return input === null ? 'null' : typeof input === 'string' ? 'text' : `a ${typeof input}`
}

/** What is said of an issue whose schema has no words of its own. */
export const issueText = (issue: z.core.$ZodRawIssue): string => {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? 'is required'
      : `${EXPECTED[issue.expected] ?? `must be ${issue.expected}`}, not ${kindOf(issue.input)}`
  if (issue.code === 'invalid_value')
    return issue.input === undefined ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_key')
    return 'is no name: 1 to 64 characters without control characters, and no blank at either end'
  return 'is not valid'
}

/** Explains one issue of the schema: with its path, and for what is not known the nearest that is. */
export const explain = (root: Schema, issue: Issue, above: Path = []): readonly Problem[] => {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(root, path, key))
  const branch =
    issue.code === 'invalid_union'
      ? issue.errors.find((issues) =>
          issues.every((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'),
        )
      : undefined
  if (branch !== undefined) return branch.flatMap((inner) => explain(root, inner, path))
  const offered = schemaAt(root, path)
  const near =
    typeof issue.input === 'string' && offered !== undefined ? nearest(issue.input, wordsOf(offered)) : undefined
  return [
    {
      level: 'error',
      path: dotted(path),
      code: codeOf(issue),
      message: issue.message,
      ...(near !== undefined && { nearest: near }),
    },
  ]
}

const codeOf = (issue: Issue): string => {
  if (issue.code === 'custom' && typeof issue.params?.['problem'] === 'string') return issue.params['problem']
  if (issue.code === 'too_small' || issue.code === 'too_big') return 'out_of_range'
  const missing = (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined
  return missing ? 'required' : issue.code === 'invalid_type' ? 'invalid_type' : 'invalid_value'
}

const dotted = (path: Path): string => path.map(String).join('.')

/** Keys that are no overrides: they belong to a definition of one's own. */
const DEFINING = new Set(['description', 'system_prompt', 'tools', 'disallowed_tools'])

const unknownKey = (root: Schema, path: Path, key: string): Problem => {
  const problem = { level: 'error', path: dotted([...path, key]), code: 'unknown_key' } as const
  if (path.length === 3 && path[0] === 'subagents' && path[1] === 'agents' && DEFINING.has(key))
    return { ...problem, message: 'cannot be overridden; define an agent of your own under subagents.custom_agents' }
  const schema = schemaAt(root, path)
  const near = nearest(key, (schema === undefined ? null : keysOf(schema)) ?? []) ?? elsewhere(root, key)
  return { ...problem, message: 'is not a known key', ...(near !== undefined && { nearest: near }) }
}

/** Where keys stand that are below no name of the user's. Gathered once: a config may have many unknown keys. */
const places = new WeakMap<Schema, ReadonlyMap<string, readonly string[]>>()

const placesOf = (root: Schema): ReadonlyMap<string, readonly string[]> => {
  const known = places.get(root)
  if (known) return known
  const found = new Map<string, string[]>()
  for (const path of pathsOf(root).filter((each) => !each.includes('*'))) {
    const key = path.split('.').at(-1) ?? ''
    found.set(key, [...(found.get(key) ?? []), path])
  }
  places.set(root, found)
  return found
}

/** The one place of the config where a key belongs. */
const elsewhere = (root: Schema, key: string): string | undefined => {
  const [place, ...others] = placesOf(root).get(key) ?? []
  return others.length === 0 ? place : undefined
}
