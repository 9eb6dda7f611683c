import { bare, childOf, isGroup, type Schema, wantsText } from './shape.ts'
import { Written } from './written.ts'

export type Tree = Readonly<Record<string, unknown>>

/** Whether a value is a plain object, of whatever realm. */
export const isTree = (value: unknown): value is Tree => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Stands for an instance of a class, whose keys the schema would not see. */
const FOREIGN = Symbol('an instance of a class')

/**
 * Makes ready for the schema what a file or an object holds: `null` counts as left out unless it has a meaning there,
 * an empty entry of a map becomes an entry without keys, and text that looks like a number is text again.
 */
export const prepare = (schema: Schema, value: unknown): unknown => {
  if (value instanceof Written) return wantsText(schema) ? value.source : value.plain
  if (Array.isArray(value)) return value.map((item, index) => prepareChild(childOf(schema, index), item))
  if (!isTree(value)) return typeof value === 'object' && value !== null ? FOREIGN : value
  const isOpen = !isGroup(schema)
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const child = childOf(schema, key)
    if (item === null && child !== undefined && !bare(child).nullable)
      return isOpen ? [[key, isGroup(child) ? {} : null]] : []
    return [[key, prepareChild(child, item)]]
  })
  return Object.fromEntries(kept)
}

const prepareChild = (schema: Schema | undefined, value: unknown): unknown =>
  schema === undefined ? value : prepare(schema, value)
