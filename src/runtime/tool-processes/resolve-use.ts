import { existsSync, statSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve } from 'import-meta-resolve'
import { messageOf } from '../../contract/errors.ts'
import type { ToolModule } from '../../contract/tools.ts'

export type Resolved =
  | { readonly ok: true; readonly module: ToolModule }
  | { readonly ok: false; readonly error: string }

const isFile = (url: string): boolean => {
  const path = fileURLToPath(url)
  return existsSync(path) && statSync(path).isFile()
}

// A path is a path, not a URL: '#', '?' and '%' in it mean themselves.
const urlOf = (specifier: string, baseDir: string): string =>
  /^\.{0,2}\//.test(specifier)
    ? pathToFileURL(absolute(baseDir, specifier)).href
    : resolve(specifier, pathToFileURL(`${baseDir}/_`).href)

/**
 * Finds what a `use` such as `./tools/x.mjs#x` or `@scope/package#Export` names, from the folder that says it. Not by
 * `import.meta.resolve`, which on Node 20 ignores from where, and not by `require.resolve`, which refuses packages that
 * can only be imported.
 */
export const resolveUse = (use: string, baseDir: string): Resolved => {
  const hash = use.lastIndexOf('#')
  const [specifier, name] = hash < 0 ? [use, ''] : [use.slice(0, hash), use.slice(hash + 1)]
  if (specifier === '' || name === '')
    return { ok: false, error: `'${use}' must name a module and an export, as in ./tools/x.mjs#x` }
  try {
    const url = urlOf(specifier, absolute(baseDir))
    if (!url.startsWith('file:')) return { ok: false, error: `'${specifier}' is not a file` }
    if (!isFile(url)) return { ok: false, error: `there is no file ${fileURLToPath(url)}` }
    return { ok: true, module: { url, export: name } }
  } catch (thrown) {
    return { ok: false, error: messageOf(thrown) }
  }
}
