import { messageOf, type Problem } from '../contract/errors.ts'
import { problem } from './checks/tree.ts'
import { isTree } from './prepare.ts'

/** Deeper than any config goes. */
const DEPTH_MAX = 50

type Copied = { readonly tree: unknown } | { readonly problems: readonly Problem[] }

/**
 * Copies a config that was given as an object before anyone looks at it: each getter is asked once, and what its owner
 * changes later changes nothing. Instances of classes, functions and the like stay what they are, for the schema to refuse.
 */
export const copyTree = (config: unknown): Copied => {
  const problems: Problem[] = []
  const refuse = (path: string, message: string): void =>
    void problems.push(problem('error', path, 'object_unreadable', message))

  const copy = (read: () => unknown, path: string, above: readonly unknown[]): unknown => {
    try {
      const value = read()
      if (!Array.isArray(value) && !isTree(value)) return value
      if (above.includes(value)) return refuse(path, 'stands inside of itself')
      if (above.length === DEPTH_MAX) return refuse(path, 'stands too deep inside maps and lists')
      const holder = value as Readonly<Record<string, unknown>>
      const below = (key: string): unknown =>
        copy(() => holder[key], path === '' ? key : `${path}.${key}`, [...above, value])
      return Array.isArray(value)
        ? Array.from(value, (_, index) => below(String(index)))
        : copyKeys(holder, path, below)
    } catch (thrown) {
      return refuse(path, `cannot be read: ${messageOf(thrown)}`)
    }
  }

  const copyKeys = (holder: object, path: string, below: (key: string) => unknown): object => {
    const keys = Object.keys(holder)
    if (keys.includes('__proto__')) refuse(path === '' ? '__proto__' : `${path}.__proto__`, 'is not allowed as a key')
    return Object.fromEntries(keys.map((key) => [key, below(key)]))
  }

  const tree = copy(() => config, '', [])
  return problems.length === 0 ? { tree } : { problems }
}
