import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generated, root } from './bundles.mjs'
import { cache, filesBelow } from './outputs.mjs'

const tsc = join(root, 'node_modules/typescript/bin/tsc')

const run = async (out) => {
  const args = [tsc, '-p', '.config/tsconfig.types.json', '--outDir', out]
  await promisify(execFile)(process.execPath, args, { cwd: root })
  return Promise.all(filesBelow(out).map(async (path) => [path, await readFile(join(out, path), 'utf8')]))
}

/** The `.d.ts` files, as tsc writes them. Nothing is checked here: that is `npm run check`. */
export const declarations = async () => {
  const out = await mkdtemp(join(cache(), 'types-'))
  try {
    const entries = ['machines', 'testing'].map((name) => [`${name}.d.ts`, generated[name]])
    const files = [...(await run(out)), ...entries]
    // tsc leaves `.ts` in the imports of declarations as it is.
    const renamed = files.map(([path, text]) => [
      join('types', path),
      text.replaceAll(/(['"])(\.\.?\/[^'"\n]+)\.ts\1/g, '$1$2.js$1'),
    ])
    return { files: renamed, errors: [] }
  } catch ({ stdout, message }) {
    return { files: [], errors: [`declarations: ${stdout || message}`] }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}
