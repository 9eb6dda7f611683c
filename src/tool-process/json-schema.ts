import type { JsonSchema } from '../contract/tools.ts'
import { isPlainSchema } from '../tools/load-tool.ts'

const SCHEMA_MAX = 256 * 1024

const converted = async (schema: unknown): Promise<unknown> => {
  if (schema === undefined || schema === null) return { properties: {} }
  if (isPlainSchema(schema)) return schema
  // Loaded only when needed: it brings zod along.
  const { toJsonSchema } = await import('@langchain/core/utils/json_schema')
  return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])
}

/** What a tool takes, as plain JSON Schema of an object. */
export const parametersOf = async (schema: unknown): Promise<JsonSchema> => {
  const text = JSON.stringify(await converted(schema))
  if (text === undefined || text.length > SCHEMA_MAX)
    throw new Error(`the schema has no JSON form of at most ${SCHEMA_MAX} characters`)
  const { $schema: _, ...parameters } = JSON.parse(text) as Record<string, unknown>
  const { type = 'object' } = parameters
  if (type !== 'object') throw new Error(`the schema describes ${JSON.stringify(type)}, not an object`)
  return { ...parameters, type }
}
