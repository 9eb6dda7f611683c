import type { Problem } from '../../contract/errors.ts'
import { BUILTIN_AGENTS, BUILTIN_GROUPS } from '../names.ts'
import type { Tree } from '../prepare.ts'
import { problem, spots, texts, unknownName } from './tree.ts'

/**
 * Overrides and access lists name agents that exist, and lists of groups groups; a name that an earlier source has taken
 * is reported. `managed` lists agents kept elsewhere.
 */
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
    ...ownNames(tree, configured),
    ...unknownGroups(tree),
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

/** An agent on its own access list, unless the name is that of another agent there. */
const ownNames = (tree: Tree, configured: readonly string[]): readonly Problem[] =>
  texts(tree, 'agents.*.subagents.*')
    .filter(({ keys, value }) => keys[1] === value && !configured.includes(value))
    .map(({ path }) => problem('warning', path, 'names_itself', 'has no effect: no agent calls itself'))

const unknownGroups = (tree: Tree): readonly Problem[] => {
  const known = [...new Set([...BUILTIN_GROUPS, ...texts(tree, 'tools.*.group').map(({ value }) => value)])]
  return texts(tree, 'agents.*.tool_groups.*')
    .filter(({ value }) => !known.includes(value))
    .map((spot) => unknownName('warning', 'group', spot, known))
}
