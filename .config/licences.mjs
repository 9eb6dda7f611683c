import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundles.mjs'

const packageOf = (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

/** The licence texts of the packages whose code is inside the bundles, and an error for each that has none. */
export const licences = (inputs) => {
  const errors = []
  const textOf = (name) => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) errors.push(`${name} is bundled but has no licence file`)
    return file === undefined ? name : `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  }
  const packages = [...new Set(inputs.map(packageOf).filter(Boolean))].sort()
  const head = 'Parts of these packages are included in the files beside this one.'
  return { text: `${head}\n\n${packages.map(textOf).join('\n---\n\n')}`, errors }
}
