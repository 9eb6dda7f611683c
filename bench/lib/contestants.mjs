import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`../contestants/${name}.mjs`, import.meta.url))

/** Every contestant by name: its file and what its work says beyond the question's. */
const contestants = {
  raw: { file: file('raw') },
  troupe: { file: file('troupe'), work: { placement: 'worker' } },
  'troupe-isolated': { file: file('troupe'), work: { placement: 'isolated' } },
  ai: { file: file('ai') },
  'ai-generate': { file: file('ai'), work: { generate: true } },
}

export const FLOOR = 'raw'
export const isTroupe = (name) => name.startsWith('troupe')
export const isPeer = (name) => name !== FLOOR && !isTroupe(name)

export const isBuilt = () => existsSync(new URL('../../dist/index.js', import.meta.url))

export function contestantNamed(name) {
  if (!Object.hasOwn(contestants, name))
    throw new Error(`No contestant "${name}"; there are ${Object.keys(contestants).join(', ')}`)
  return contestants[name]
}
