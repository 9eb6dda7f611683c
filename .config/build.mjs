// node .config/build.mjs [--if-stale] [--no-types]
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as esbuild, formatMessages } from 'esbuild'
import { bundles, root } from './bundles.mjs'
import { configSchemaFile } from './config-schema.mjs'
import { declarations } from './declarations.mjs'
import { licences } from './licences.mjs'
import { fingerprint, isFresh, stamp, sync } from './outputs.mjs'

/** What a bundle holds, and which modules it leaves to be found at run time. */
const describe = ({ inputs, outputs }) => {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  const externals = imports.filter(({ external }) => external).map(({ path }) => path)
  return { inputs: Object.keys(inputs), externals: [...new Set(externals)].sort() }
}

/** Builds one bundle. Tells errors, to which warnings count, instead of throwing them, so that the others are built. */
const bundle = async (name) => {
  try {
    const { outputFiles, metafile, warnings } = await esbuild(bundles[name])
    const files = outputFiles.map(({ path, contents }) => [path.slice(join(root, 'dist/').length), contents])
    return { name, files, ...describe(metafile), errors: await formatMessages(warnings, { kind: 'warning' }) }
  } catch (failure) {
    const errors = await formatMessages(failure.errors ?? [{ text: String(failure) }], { kind: 'error' })
    return { name, files: [], inputs: [], errors }
  }
}

/** Builds dist/. Returns the errors; what could be built is there all the same. */
export const build = async ({ ifStale = false, types = true } = {}) => {
  const print = fingerprint()
  if (ifStale && isFresh(print, types)) return []
  const [declared, schema, ...built] = await Promise.all([
    types ? declarations() : { files: [], errors: [] },
    configSchemaFile(),
    ...Object.keys(bundles).map(bundle),
  ])
  const notices = licences(built.flatMap(({ inputs }) => inputs))
  const errors = [declared, schema, ...built, notices].flatMap((part) => part.errors)
  const files = new Map([declared, schema, ...built].flatMap((part) => part.files))
  files.set('THIRD-PARTY.txt', notices.text)
  sync(files, { remove: errors.length === 0, types })
  const contents = Object.fromEntries(built.map(({ name, inputs, externals }) => [name, { inputs, externals }]))
  stamp({ fingerprint: errors.length === 0 ? print : null, types, files: [...files.keys()], contents })
  return errors
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const ifStale = process.argv.includes('--if-stale')
  const errors = await build({ ifStale, types: !process.argv.includes('--no-types') })
  for (const error of errors) console.error(error)
  process.exitCode = errors.length === 0 ? 0 : 1
}
