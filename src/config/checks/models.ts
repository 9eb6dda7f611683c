import type { Problem } from '../../contract/errors.ts'
import type { Tree } from '../prepare.ts'
import { firstByValue } from './first.ts'
import { problem, texts, unknownName } from './tree.ts'

/** Where the model of the lead may be meant. */
const AGENTS = ['subagents.agents.*.model', 'subagents.custom_agents.*.model', 'agents.*.model']
const OTHERS = ['summarization.model_name', 'models.*.fallbacks.*']

/** Every model that is referred to exists, and no two have one name. */
export const checkModels = (tree: Tree): readonly Problem[] => {
  const entries = texts(tree, 'models.*.name')
  const first = firstByValue(entries)
  const names = [...new Set(entries.map(({ value }) => value))]
  const twice = entries
    .filter((entry) => first.get(entry.value) !== entry)
    .map(({ path, value }) =>
      problem('error', path, 'duplicate_name', `is taken: ${first.get(value)?.path ?? ''} is "${value}" too`),
    )
  const unknown = [
    ...AGENTS.flatMap((pattern) => texts(tree, pattern)).filter(({ value }) => value !== 'inherit'),
    ...OTHERS.flatMap((pattern) => texts(tree, pattern)),
  ]
    .filter(({ value }) => !first.has(value))
    .map((spot) => unknownName('error', 'model', spot, names))
  return [...twice, ...(names.length === 0 ? [] : unknown), ...ownFallbacks(tree)]
}

const ownFallbacks = (tree: Tree): readonly Problem[] =>
  texts(tree, 'models.*.name').flatMap(({ path, value }) =>
    texts(tree, `${path.replace(/name$/, 'fallbacks')}.*`)
      .filter((fallback) => fallback.value === value)
      .map((fallback) => problem('error', fallback.path, 'invalid_value', 'must not be the model itself')),
  )
