import { createHash } from 'node:crypto'
import type { ModelSettings } from '../contract/settings.ts'

const known = new WeakMap<ModelSettings, number>()

/** Names whom a rate limit concerns: base URL and API key. The same on every thread; never 0. */
export const providerKey = (model: ModelSettings): number => {
  const found = known.get(model)
  if (found !== undefined) return found
  // A LangChain model without a base URL goes to the one that its class knows.
  const where = model.baseUrl === '' ? `${model.use?.url}#${model.use?.export}` : model.baseUrl
  const key = createHash('sha256').update(`${where}\n${model.apiKey}`).digest().readInt32LE() || 1
  known.set(model, key)
  return key
}
