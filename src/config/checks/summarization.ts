import type { Problem } from '../../contract/errors.ts'
import { isTree, type Tree } from '../prepare.ts'
import { problem, type Spot, spots } from './tree.ts'

/** Whether compaction that is switched on can ever come. */
export const checkSummarization = (tree: Tree): readonly Problem[] => {
  if (spots(tree, 'summarization.enabled')[0]?.value !== true) return []
  const trigger = spots(tree, 'summarization.trigger')
  const when = trigger[0]?.value ?? null
  if (when === null || (Array.isArray(when) && when.length === 0))
    return [problem('warning', 'summarization.trigger', 'no_trigger', 'is not set, so nothing is ever summarized')]
  const fractions = [
    ...trigger,
    ...spots(tree, 'summarization.trigger.*'),
    ...spots(tree, 'summarization.keep'),
  ].filter(isFraction)
  const windowless = spots(tree, 'models.*').filter(
    ({ value }) => isTree(value) && (value['context_window'] ?? null) === null,
  )
  const [model] = windowless
  return model === undefined
    ? []
    : fractions.map(({ path }) =>
        problem('warning', path, 'window_unknown', `says nothing for a model without context_window (${model.path})`),
      )
}

const isFraction = ({ value }: Spot): boolean => isTree(value) && value['type'] === 'fraction'
