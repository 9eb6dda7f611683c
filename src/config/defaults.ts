import type { Problem } from '../contract/errors.ts'
import { problem } from './checks/tree.ts'
import type { Env } from './env.ts'
import type { Tree } from './prepare.ts'

const DEFAULT_MODEL = 'gpt-5-mini'
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1'

const WAY_OUT = 'add an entry under models, or set OPENAI_API_KEY (and OPENAI_BASE_URL, OPENAI_MODEL where wanted)'

/** A tree that names no models gets one from the environment, which names variables and holds no value of a secret. */
export const modelsOf = (tree: Tree, env: Env): { readonly tree: Tree; readonly problems: readonly Problem[] } => {
  const { models } = tree
  if (Array.isArray(models) && models.length === 0)
    return { tree, problems: [problem('error', 'models', 'models_missing', `is an empty list: ${WAY_OUT}`)] }
  if (models !== undefined) return { tree, problems: [] }
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== ''
  if (!isSet('OPENAI_API_KEY'))
    return { tree, problems: [problem('error', 'models', 'models_missing', `no model is configured: ${WAY_OUT}`)] }
  const entry = {
    name: 'default',
    model: isSet('OPENAI_MODEL') ? '$OPENAI_MODEL' : DEFAULT_MODEL,
    base_url: isSet('OPENAI_BASE_URL') ? '$OPENAI_BASE_URL' : DEFAULT_BASE_URL,
    api_key: '$OPENAI_API_KEY',
  }
  return { tree: { ...tree, models: [entry] }, problems: [] }
}
