import type { Problem } from '../../contract/errors.ts'
import { BUILTIN_TOOLS } from '../names.ts'
import type { Tree } from '../prepare.ts'
import { type Spot, spots, texts, unknownName } from './tree.ts'

/** Lists that give or take tools: a name that is none would silently do neither. */
const DECIDING = ['subagents.custom_agents.*.tools.*', 'subagents.custom_agents.*.disallowed_tools.*']
/** What only tunes how a tool is treated. */
const TUNING = ['tool_output.exempt_tools.*']
const TUNING_KEYS = ['tool_output.tool_overrides.*', 'loop_detection.tool_freq_overrides.*']

/** Every tool that is referred to exists. What MCP servers bring is not known before they run, so their prefix is enough. */
export const checkToolNames = (tree: Tree, hostTools: readonly string[]): readonly Problem[] => {
  const configured = texts(tree, 'tools.*.name').map(({ value }) => value)
  const known = [...new Set([...BUILTIN_TOOLS, ...hostTools, ...configured])]
  const names = new Set(known)
  const servers = spots(tree, 'mcp_servers.*').map(({ key }) => `${key}__`)
  const isUnknown = ({ value }: { readonly value: string }): boolean =>
    !names.has(value) && !servers.some((server) => value.startsWith(server))
  const valuesAt = (patterns: readonly string[]) => patterns.flatMap((pattern) => texts(tree, pattern))
  const keysAt = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) => spots(tree, pattern)).map((spot: Spot) => ({ path: spot.path, value: spot.key }))
  return [
    ...valuesAt(DECIDING)
      .filter(isUnknown)
      .map((spot) => unknownName('error', 'tool', spot, known)),
    ...[...valuesAt(TUNING), ...keysAt(TUNING_KEYS)]
      .filter(isUnknown)
      .map((spot) => unknownName('warning', 'tool', spot, known)),
  ]
}
