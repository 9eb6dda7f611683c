import type { Problem } from '../../contract/errors.ts'
import { BUILTIN_AGENTS } from '../names.ts'
import type { Tree } from '../prepare.ts'
import { problem, spots, texts, unknownName } from './tree.ts'

/** Overrides and access lists name agents that exist; a name that an earlier source has taken is reported. `managed` lists agents kept elsewhere. */
export const checkAgents = (tree: Tree, managed: readonly string[]): readonly Problem[] => {
  const custom = spots(tree, 'subagents.custom_agents.*')
  const leading = spots(tree, 'agents.*')
  const configured = [...BUILTIN_AGENTS, ...custom.map(({ key }) => key)]
  const known = [...new Set([...configured, ...managed, ...leading.map(({ key }) => key)])]
  const unknown = (found: readonly { readonly path: string; readonly value: string }[]) =>
    found.filter(({ value }) => !known.includes(value)).map((spot) => unknownName('warning', 'agent', spot, known))
  return [
    ...unknown(spots(tree, 'subagents.agents.*').map(({ path, key }) => ({ path, value: key }))),
    ...unknown(texts(tree, 'agents.*.subagents.*')),
    ...custom
      .filter(({ key }) => BUILTIN_AGENTS.includes(key))
      .map(({ path, key }) => problem('warning', path, 'name_taken', `is left out: "${key}" is a built-in agent`)),
    ...leading
      .filter(({ key }) => configured.includes(key) || managed.includes(key))
      .map(({ path, key }) =>
        problem('warning', path, 'name_taken', `can lead a run, but is no task target: the name "${key}" is taken`),
      ),
  ]
}
