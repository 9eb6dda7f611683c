/** A folder by the name that models use, and by those that it has on the machine. */
export interface Spelling {
  readonly virtual: string
  /** What stands for it in a command; `null` where models name no such folder, and only the machine's names go. */
  readonly host: string | null
  /** Every name under which the machine may show it. */
  readonly shown: readonly string[]
  /** Whether nothing else can be meant by these names, wherever they stand. */
  readonly unmistakable: boolean
}

export interface Translator {
  /** Virtual paths in a command become those of the machine. */
  toHost(command: string): string
  /** Paths of the machine in an output become virtual ones. */
  toVirtual(output: string): string
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Where a name ends: not before a further character of a name. A dot that ends a sentence is none. */
const END = '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_.-])'
/** Where a path begins: not within another path, also one that begins with a variable or a pattern; but `-I/x` and `file:///x` hold one. */
const START = '(?:(?<![\\p{L}\\p{N}_.~/)}\\]*?])|(?<=(?:^|[\\s=,"\'(])-\\p{L})|(?<=\\bfile:\\/\\/))'

/** Longest first, so that the innermost folder is found. */
const byLength = (a: readonly [string, unknown], b: readonly [string, unknown]): number => b[0].length - a[0].length

interface Named {
  readonly to: string
  readonly start: string
}

const replacer = (pairs: readonly (readonly [name: string, named: Named])[]): ((text: string) => string) => {
  const names = new Map([...pairs].sort(byLength))
  if (names.size === 0) return (text) => text
  const pattern = [...names].map(([name, { start }]) => `${start}${literal(name)}${END}`).join('|')
  const find = new RegExp(pattern, 'gu')
  const all = [...names.keys()]
  return (text) =>
    all.some((name) => text.includes(name)) ? text.replace(find, (name) => names.get(name)?.to ?? name) : text
}

/** `/` as a folder of the machine is in every path, so its name goes unchanged. */
const isRoot = (name: string): boolean => name === '/' || name === ''

export const createTranslator = (spellings: readonly Spelling[]): Translator => {
  const commands = spellings.flatMap(({ virtual, host }) =>
    host === null ? [] : [[virtual, { to: host, start: START }] as const],
  )
  const outputs = spellings.flatMap(({ virtual, shown, unmistakable }) =>
    shown
      .filter((name) => !isRoot(name))
      .map((name) => [name, { to: virtual, start: unmistakable ? '' : START }] as const),
  )
  return { toHost: replacer(commands), toVirtual: replacer(outputs) }
}
