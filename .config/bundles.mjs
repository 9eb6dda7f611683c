import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const reexport = (folder, ending) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => `export * from './${folder}/${file}'\n`)
    .join('')

/** Entries that no file stands for. Written here and not in the tree, because a barrel hides who uses what. */
export const generated = {
  machines: reexport('machines', '.machine.ts'),
  testing: reexport('src/testing', '.ts'),
  // An old Node cannot even load the rest, so it is told before.
  cli: `#!/usr/bin/env node
import { oldNode } from './src/cli/node-version.ts'
const refusal = oldNode(process.version)
if (refusal === null) await import('./src/cli/main.ts')
else {
  process.stderr.write(refusal)
  process.exitCode = 1
}
`,
}

const generatedEntries = {
  name: 'generated',
  setup(build) {
    build.onResolve({ filter: /^generated:/ }, ({ path }) => ({ path: path.slice(10), namespace: 'generated' }))
    build.onLoad({ filter: /./, namespace: 'generated' }, ({ path }) => ({
      contents: generated[path],
      loader: 'ts',
      resolveDir: root,
    }))
  },
}

// yaml's build for Node is CommonJS: it would need a `require` in the bundle and cannot be shaken.
const yaml = fileURLToPath(new URL('../browser/index.js', import.meta.resolve('yaml')))

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'node20.12',
  platform: 'node',
  outdir: 'dist',
  write: false,
  metafile: true,
  sourcemap: 'linked',
  logLevel: 'silent',
  plugins: [generatedEntries],
}

/**
 * What is built, by name. All files land side by side in dist/, so that `new URL('./worker.js', import.meta.url)` holds
 * wherever the bundler puts the code that says it.
 */
export const bundles = {
  // Bundling zod, yaml and xstate takes 60 of 90 ms off the start. Piscina finds its own worker beside itself.
  host: {
    ...shared,
    entryPoints: {
      index: 'src/index.ts',
      cli: 'generated:cli',
      testing: 'generated:testing',
      'demo/server': 'src/demo/server.ts',
    },
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: ['piscina', '@langchain/*'],
    alias: { yaml },
  },
  // Names stay as written: esbuild's `keepNames` would restore them with a call for every closure that is made, which
  // showed as 4 % of the CPU of a turn.
  worker: { ...shared, entryPoints: { worker: 'src/worker/entry.ts' }, minifySyntax: true, minifyWhitespace: true },
  toolProcess: { ...shared, entryPoints: { 'tool-process': 'src/tool-process/entry.ts' }, external: ['@langchain/*'] },
  machines: {
    ...shared,
    entryPoints: { machines: 'generated:machines' },
    platform: 'browser',
    target: 'es2022',
    external: ['xstate'],
  },
}
