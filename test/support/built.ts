import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The package's folder; the runner starts every test there. */
export const project = new URL(`${pathToFileURL(process.cwd()).href}/`)

/** A file of the built package, such as `cli.js`. */
export const built = (file: string): URL => new URL(`dist/${file}`, project)

interface BundleContents {
  /** Paths of all sources inside. */
  readonly inputs: readonly string[]
  /** Modules that are imported at run time. */
  readonly externals: readonly string[]
}

/** What the last build put into a bundle. */
export const contentsOf = (bundle: 'host' | 'worker' | 'toolProcess' | 'machines'): BundleContents => {
  const record = new URL('node_modules/.cache/troupe/build.json', project)
  if (!existsSync(record)) throw new Error('run tests with `npm test`')
  const { contents } = JSON.parse(readFileSync(record, 'utf8')) as { contents: Record<string, BundleContents> }
  const found = contents[bundle]
  if (found === undefined || found.inputs.length === 0) throw new Error(`the bundle ${bundle} was not built`)
  return found
}
