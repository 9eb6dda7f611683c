import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type Scalar } from 'yaml'
import type { Problem } from '../contract/errors.ts'
import { Written } from './written.ts'

interface Visit {
  readonly document: Document.Parsed
  readonly lineOf: (offset: number) => number
  readonly problems: Problem[]
}

/** Finds keys that stand twice or are no names, and keeps numbers and truth values as they were written. */
export const inspectNodes = (document: Document.Parsed, lineOf: (offset: number) => number): readonly Problem[] => {
  const visit = { document, lineOf, problems: [] }
  visitNode(visit, document.contents, '')
  return visit.problems
}

const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)

const visitNode = (visit: Visit, node: unknown, path: string): void => {
  if (isSeq(node)) for (const [index, item] of node.items.entries()) visitNode(visit, item, below(path, index))
  if (isMap(node)) visitPairs(visit, node.items, path)
  if (isScalar(node)) keepWritten(node)
  if (isAlias(node) && node.resolve(visit.document) === undefined)
    report(visit, 'yaml_syntax', path, `line ${lineAt(visit, node)}: no anchor &${node.source} stands above`)
}

const visitPairs = (visit: Visit, pairs: readonly Pair[], path: string): void => {
  const seen = new Map<string, number>()
  for (const { key, value } of pairs) {
    const line = lineAt(visit, key)
    if (!isScalar(key)) {
      report(visit, 'yaml_key', path, `line ${line}: a key must be a plain name`)
      continue
    }
    const name = nameOf(key)
    const at = below(path, name)
    const first = seen.get(name) ?? line
    if (name === '__proto__') report(visit, 'yaml_key', at, `line ${line}: is not allowed as a key`)
    if (seen.has(name)) report(visit, 'duplicate_key', at, `stands twice, on line ${first} and on line ${line}`)
    // A merge key may be repeated, and its value belongs to `yaml`.
    if (name !== '<<') {
      seen.set(name, first)
      key.value = name
    }
    visitNode(visit, value, at)
  }
}

/** The key as written: `007` and `2.10` are names. */
const nameOf = (key: Scalar): string => (typeof key.value === 'string' ? key.value : (key.source ?? ''))

const keepWritten = (node: Scalar): void => {
  const isPlain = typeof node.value === 'number' || typeof node.value === 'boolean'
  if (isPlain && node.source !== undefined) node.value = new Written(node.source, node.value)
}

const lineAt = ({ lineOf }: Visit, node: unknown): number =>
  lineOf(typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? node.range[0] : 0)

const report = ({ problems }: Visit, code: string, path: string, message: string): void =>
  void problems.push({ level: 'error', path, code, message })
