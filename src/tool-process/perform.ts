import type { ToolRequest } from '../contract/tool-frames.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { failureOf, outcomeOf, refusal } from '../policy/tool-outcome.ts'
import { createView } from '../sandbox/view.ts'
import { isolatedEffects } from '../tools/isolated-effects.ts'
import { loadTool } from '../tools/load-tool.ts'

type Call = Extract<ToolRequest, { type: 'call' }>

const run = async (
  { tool: name, target, caller, view }: Call,
  body: string,
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  const args = JSON.parse(body) as Record<string, unknown>
  if (target.kind === 'module') {
    const tool = await loadTool(target)
    return outcomeOf(await tool.invoke(args, { signal, configurable: caller }))
  }
  const effect = isolatedEffects.get(target.name)
  if (!effect) return refusal(`Tool '${name}' does not run in a tool process`)
  return await effect(args, { view: createView(view), signal })
}

/** Runs one call to an outcome, whatever the tool throws or gives back. */
export const perform = async (call: Call, body: string, signal: AbortSignal): Promise<ToolOutcome> => {
  try {
    return await run(call, body, signal)
  } catch (thrown) {
    return failureOf(call.tool, thrown)
  }
}
