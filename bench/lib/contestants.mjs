import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`../contestants/${name}.mjs`, import.meta.url))

/** Every contestant by name: its file and what its work says beyond the question's. */
const contestants = {
  raw: { file: file('raw') },
  troupe: { file: file('troupe'), work: { placement: 'worker' } },
  'troupe-isolated': { file: file('troupe'), work: { placement: 'isolated' } },
  'troupe-chatopenai': { file: file('troupe'), work: { placement: 'worker', use: '@langchain/openai#ChatOpenAI' } },
  ai: { file: file('ai') },
  'openai-agents': { file: file('openai-agents') },
  langchain: { file: file('langchain') },
  deepagents: { file: file('deepagents') },
}

export const FLOOR = 'raw'
export const TROUPE = 'troupe'
export const PEERS = ['ai', 'openai-agents', 'langchain', 'deepagents']
export const isTroupe = (name) => name.startsWith(TROUPE)
export const isPeer = (name) => PEERS.includes(name)

export const contestantNames = Object.keys(contestants)

export const isBuilt = () => existsSync(new URL('../../dist/index.js', import.meta.url))

export const contestantNamed = (name) => contestants[name]
