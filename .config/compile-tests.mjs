import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './bundles.mjs'

const built = pathToFileURL(join(root, 'dist/index.js')).href

/**
 * What is compiled keeps the address it would have: product code that of dist/, so that it finds the built worker beside
 * itself, a test that of its own source, so that it finds its fixtures.
 */
const addresses = {
  name: 'addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const isTest = relative(root, path).startsWith('test')
      const url = JSON.stringify(isTest ? pathToFileURL(path).href : built)
      return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', url), loader: 'ts' }
    })
  },
}

/** Compiles one file below test/ into the folder `out`; resolves with the path of the result. */
export const compile = async (file, out) => {
  const outfile = join(out, file.replace(/\.ts$/, '.mjs'))
  await build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.12',
    sourcemap: 'linked',
    keepNames: true,
    logLevel: 'silent',
    plugins: [addresses],
  })
  return outfile
}
