import type { ToolOutcome } from '../contract/tools.ts'
import type { View } from '../sandbox/view.ts'

/** What a built-in tool works with, beside its arguments. */
export interface ToolContext {
  readonly view: View
  readonly signal: AbortSignal
}

/**
 * Runs one call; `args` went through `checkArguments`. Never rejects: what goes wrong is an outcome. Written as a method,
 * so that an effect may name the arguments its schema promises.
 */
export type Effect = { run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome> }['run']
