/**
 * The tools of a child: what its parent has, then what its definition allows, then what that denies. Each step only
 * narrows, and `task` is never among them, so that delegation is one deep whatever the config says. Source: decision 15.
 */
export const narrowTools = (
  parent: readonly string[],
  { tools, disallowedTools }: { readonly tools: readonly string[] | null; readonly disallowedTools: readonly string[] },
): readonly string[] =>
  parent.filter((name) => name !== 'task' && (tools?.includes(name) ?? true) && !disallowedTools.includes(name))
