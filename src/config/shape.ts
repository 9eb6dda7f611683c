import type * as z from 'zod/mini'

/** Reads a schema as a tree of names. */

export type Schema = z.core.$ZodType

interface Def {
  readonly type: string
  readonly innerType?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly valueType?: Schema
  readonly element?: Schema
  readonly options?: readonly Schema[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
}

const defOf = (schema: Schema): Def => schema._zod.def as Def

/** The schema below defaults and `null`, and whether `null` has a meaning there. */
export const bare = (schema: Schema): { readonly schema: Schema; readonly def: Def; readonly nullable: boolean } => {
  let inner = schema
  let nullable = false
  for (let def = defOf(inner); def.innerType !== undefined; def = defOf(inner)) {
    nullable ||= def.type === 'nullable'
    inner = def.innerType
  }
  return { schema: inner, def: defOf(inner), nullable }
}

export const wantsText = (schema: Schema): boolean => {
  const { type } = bare(schema).def
  return type === 'string' || type === 'enum'
}

export const isGroup = (schema: Schema): boolean => bare(schema).def.shape !== undefined

/** The keys that a place allows; `null` where the user chooses them. */
export const keysOf = (schema: Schema): readonly string[] | null => {
  const { def } = bare(schema)
  const shape = def.shape ?? def.options?.map((option) => bare(option).def.shape).find((found) => found !== undefined)
  return shape === undefined ? null : Object.keys(shape)
}

/** The words that a place offers; none where any text will do. */
export const wordsOf = (schema: Schema): readonly string[] => {
  const { entries = {}, values = [], options = [] } = bare(schema).def
  return [...Object.values(entries), ...values.map(String), ...options.flatMap(wordsOf)]
}

/** The schema of what stands at a key or index. */
export const childOf = (schema: Schema, key: PropertyKey): Schema | undefined => {
  const { shape, options, valueType, element } = bare(schema).def
  const name = String(key)
  if (shape !== undefined) return Object.hasOwn(shape, name) ? shape[name] : undefined
  if (options !== undefined) return options.map((option) => childOf(option, key)).find((found) => found !== undefined)
  return valueType ?? (/^\d+$/.test(name) ? element : undefined)
}

export const schemaAt = (schema: Schema, path: readonly PropertyKey[]): Schema | undefined =>
  path.reduce<Schema | undefined>((at, key) => (at === undefined ? undefined : childOf(at, key)), schema)

/** Every dotted path of keys that a config can hold, with `*` for names and indexes. */
export const pathsOf = (schema: Schema, path = ''): readonly string[] => {
  const { def } = bare(schema)
  const below = (child: Schema, key: string): readonly string[] => pathsOf(child, path === '' ? key : `${path}.${key}`)
  if (def.shape !== undefined)
    return [...(path === '' ? [] : [path]), ...Object.entries(def.shape).flatMap(([key, child]) => below(child, key))]
  if (def.options !== undefined) return [...new Set(def.options.flatMap((option) => pathsOf(option, path)))]
  const child = def.element ?? def.valueType
  return child !== undefined && !wantsText(child) ? [path, ...below(child, '*')] : [path]
}
