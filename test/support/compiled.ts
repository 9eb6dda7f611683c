import { pathToFileURL } from 'node:url'

/**
 * Where the runner put `test/<path>.entry.ts`, compiled: what a test hands to a worker thread or a child process, since
 * those cannot load TypeScript. `path` is below test/, such as `control/racer.entry.ts`.
 */
export const compiled = (path: string): URL => {
  const out = process.env['TROUPE_TEST_OUT']
  if (out === undefined) throw new Error('run tests with `npm test`')
  return new URL(`test/${path.replace(/\.ts$/, '.mjs')}`, `${pathToFileURL(out).href}/`)
}
