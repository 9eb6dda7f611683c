import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import * as z from 'zod/mini'
import { root } from './bundles.mjs'

// What it leaves to `troupe check`: that names which are referred to exist, that keys fit each other (a stop above its
// warning, a url for a server of type http), that files and folders are there, and that numbers in place of text are
// read as they are written.
const TITLE = 'Configuration of Troupe'

/** The schema that the loader itself uses, out of the source. */
const loadSchema = async () => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `export { configSchema } from './src/config/schema.ts'`, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  return (await import(`data:text/javascript;base64,${code}`)).configSchema
}

const alternatives = (schema) => [schema, ...(schema.anyOf ?? []).flatMap(alternatives)]

/** What stands at a key, by whichever alternative. */
const below = (schema, key) => {
  for (const { properties, additionalProperties } of alternatives(schema)) {
    if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return undefined
}

const itemsOf = (schema) => alternatives(schema).find(({ items }) => items !== undefined)?.items

/** What `anyOf` offers, also in further ones below, but for `null`. */
const offered = ({ anyOf = [] }) =>
  anyOf.flatMap((each) => (each.anyOf === undefined ? [each] : offered(each))).filter(({ type }) => type !== 'null')

/** The same schema with `null` beside what it allows. */
const orNull = (schema) => {
  const { anyOf: _, ...rest } = schema
  const [only, ...others] = offered(schema)
  if (others.length > 0) return { ...rest, anyOf: [only, ...others, { type: 'null' }] }
  const { type, enum: words, ...more } = { ...only, ...rest }
  return { ...more, type: [...new Set([type, 'null'].flat())], ...(words && { enum: [...words, null] }) }
}

const mapValues = (record, map) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

/** The same, but for `null` being allowed where the loader takes it for left out. */
const withNulls = (schema) => {
  const { properties, additionalProperties, required = [], items, anyOf, allOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (child, key) =>
        required.includes(key) ? withNulls(child) : orNull(withNulls(child)),
      ),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: entryOf(withNulls(additionalProperties)) }),
    ...(items && { items: withNulls(items) }),
    ...(anyOf && { anyOf: anyOf.map(withNulls) }),
    // Each repeats the type that stands beside them.
    ...(allOf && { allOf: allOf.map(({ type: _, ...rule }) => rule) }),
  }
}

/** An entry without a body is one without keys. */
const entryOf = (schema) => (schema.properties !== undefined && schema.required === undefined ? orNull(schema) : schema)

/** The comment of a key in the example: behind its value, behind the colon, or above. */
const commentOf = ({ key, value }) => {
  const comment = (value?.comment ?? (isScalar(value) ? null : value?.commentBefore)) || key.commentBefore
  return comment
    ?.split('\n\n')
    .at(-1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
}

/** Gives every key of the example the line that it has there. */
const describe = (schema, node) => {
  if (isSeq(node)) {
    const items = itemsOf(schema)
    for (const item of node.items) if (items) describe(items, item)
  }
  if (!isMap(node)) return
  for (const pair of node.items) {
    const child = below(schema, pair.key.value)
    if (child === undefined) continue
    const isName = !alternatives(schema).some(({ properties }) => properties?.[pair.key.value] === child)
    if (!isName) child.description ??= commentOf(pair)
    describe(child, pair.value)
  }
}

/** The JSON Schema of the config for editors. Draft 7 is what they know best. */
export const configSchemaFile = async () => {
  try {
    const schema = z.toJSONSchema(await loadSchema(), {
      target: 'draft-7',
      io: 'input',
      reused: 'inline',
      unrepresentable: 'any',
    })
    const example = readFileSync(join(root, 'config.example.yaml'), 'utf8').replaceAll(/^#(?= {2})/gm, '')
    describe(schema, parseDocument(example).contents)
    const { $schema, ...rest } = withNulls(schema)
    return {
      files: [['config.schema.json', `${JSON.stringify({ $schema, title: TITLE, ...rest }, null, 2)}\n`]],
      errors: [],
    }
  } catch (thrown) {
    return { files: [], errors: [`config.schema.json: ${thrown.message}`] }
  }
}
