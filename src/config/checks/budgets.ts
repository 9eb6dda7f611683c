import type { Problem } from '../../contract/errors.ts'
import { isTree, type Tree } from '../prepare.ts'
import { problem, spots } from './tree.ts'

/** What a budget warns and stops at where nothing says otherwise. */
const LEAD_THRESHOLDS = { warn_threshold: 0.8, hard_stop_threshold: 1 } as const
const SUBAGENT_THRESHOLDS = { warn_threshold: 0.7, hard_stop_threshold: 1 } as const

type Thresholds = { readonly [K in keyof typeof LEAD_THRESHOLDS]: number }

/** No budget stops before it warns, also where one level gives the warning and another the stop. */
export const checkBudgets = (tree: Tree): readonly Problem[] => {
  const shared = over(SUBAGENT_THRESHOLDS, spots(tree, 'subagents.token_budget')[0]?.value)
  return [
    ...spots(tree, 'token_budget').flatMap(({ path, value }) => stopsFirst(path, over(LEAD_THRESHOLDS, value))),
    ...spots(tree, 'subagents.token_budget').flatMap(({ path }) => stopsFirst(path, shared)),
    ...spots(tree, 'subagents.agents.*.token_budget').flatMap(({ path, value }) =>
      isTree(value) ? stopsFirst(path, over(shared, value)) : [],
    ),
  ]
}

const over = (base: Thresholds, value: unknown): Thresholds => {
  const given: Tree = isTree(value) ? value : {}
  const pick = (key: keyof Thresholds): number => {
    const value = given[key]
    return typeof value === 'number' && value >= 0 && value <= 1 ? value : base[key]
  }
  return { warn_threshold: pick('warn_threshold'), hard_stop_threshold: pick('hard_stop_threshold') }
}

const stopsFirst = (
  path: string,
  { warn_threshold: warn, hard_stop_threshold: stop }: Thresholds,
): readonly Problem[] =>
  stop >= warn
    ? []
    : [
        problem(
          'error',
          `${path}.hard_stop_threshold`,
          'out_of_range',
          `must be at least warn_threshold, which is ${warn}, not ${stop}`,
        ),
      ]
