import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type Scalar } from 'yaml'
import type { Problem } from '../contract/errors.ts'
import { Written } from './written.ts'

/** Values that a file comes to once its aliases are followed: enough for any config, far too little for one that grows without end. */
const VALUES_MAX = 100_000

interface Anchored {
  readonly node: unknown
  /** How many values it comes to; `null` while it is still being read. */
  size: number | null
}

interface Visit {
  readonly lineOf: (offset: number) => number
  readonly problems: Problem[]
  /** What stands above by the name of its anchor; a later one of the same name takes its place. */
  readonly anchors: Map<string, Anchored>
  /** Values seen so far, those behind aliases included. */
  values: number
}

/** Finds keys that stand twice or are no names and aliases that lead nowhere, and keeps numbers and truth values as they were written. */
export const inspectNodes = (document: Document.Parsed, lineOf: (offset: number) => number): readonly Problem[] => {
  const visit: Visit = { lineOf, problems: [], anchors: new Map(), values: 0 }
  visitNode(visit, document.contents, '')
  return visit.problems
}

const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)

const visitNode = (visit: Visit, node: unknown, path: string): void => {
  const before = visit.values
  const anchored = remember(visit, node)
  visit.values++
  if (isSeq(node)) for (const [index, item] of node.items.entries()) visitNode(visit, item, below(path, index))
  if (isMap(node)) visitPairs(visit, node.items, path)
  if (isScalar(node)) keepWritten(node)
  if (isAlias(node)) followAlias(visit, node, path)
  if (anchored) anchored.size = visit.values - before
}

const remember = ({ anchors }: Visit, node: unknown): Anchored | null => {
  if (!(isSeq(node) || isMap(node) || isScalar(node)) || node.anchor === undefined) return null
  const anchored: Anchored = { node, size: null }
  anchors.set(node.anchor, anchored)
  return anchored
}

const followAlias = (visit: Visit, node: { readonly source: string }, path: string): void => {
  const line = lineAt(visit, node)
  const found = visit.anchors.get(node.source)
  if (!found) report(visit, 'yaml_syntax', path, `line ${line}: no anchor &${node.source} stands above`)
  else if (found.size === null)
    report(visit, 'yaml_syntax', path, `line ${line}: *${node.source} stands inside of what it stands for`)
  else if (visit.values <= VALUES_MAX) {
    visit.values += found.size
    if (visit.values > VALUES_MAX)
      report(visit, 'yaml_syntax', path, `line ${line}: aliases make the config longer than ${VALUES_MAX} values`)
  }
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
    const first = seen.get(name)
    if (name === '__proto__') report(visit, 'yaml_key', at, `line ${line}: is not allowed as a key`)
    if (first !== undefined) report(visit, 'duplicate_key', at, `stands twice, on ${linesOf(first, line)}`)
    remember(visit, key)
    visitNode(visit, value, at)
    // A merge key may be repeated, and its value belongs to `yaml`.
    if (isMerge(key)) checkMerge(visit, value, at, line)
    else {
      seen.set(name, first ?? line)
      key.value = name
    }
  }
}

const linesOf = (first: number, second: number): string =>
  first === second ? `line ${first}` : `line ${first} and on line ${second}`

const isMerge = (key: Scalar): boolean => typeof key.value === 'symbol' || (key.source === '<<' && key.type === 'PLAIN')

/** Only maps can be merged into a map. What no anchor stands for has been told already. */
const checkMerge = (visit: Visit, value: unknown, path: string, line: number): void => {
  const target = (node: unknown): unknown => (isAlias(node) ? visit.anchors.get(node.source)?.node : node)
  const source = target(value)
  const isFine = (node: unknown): boolean => isMap(node) || node === undefined
  const all = isSeq(source) ? source.items.map(target) : [source]
  if (!all.every(isFine)) report(visit, 'yaml_syntax', path, `line ${line}: only maps can be merged, as in <<: *base`)
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
