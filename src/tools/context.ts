import type { CommandSettings } from '../contract/settings.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import type { CommandOwner } from '../sandbox/commands/owner.ts'
import type { View } from '../sandbox/view.ts'

/** What a command needs, beside its arguments and the view. */
export interface CommandContext extends CommandSettings {
  readonly owner: CommandOwner
  /** Root of all that the runtime writes. */
  readonly home: string
  /** Folder below outputs for what the runtime itself puts there. */
  readonly ownOutputs: string
}

/** What a built-in tool works with, beside its arguments. */
export interface ToolContext {
  readonly view: View
  readonly signal: AbortSignal
  /** Left out where no commands run. */
  readonly commands?: CommandContext | undefined
}

/**
 * Runs one call; `args` went through `checkArguments`. Never rejects: what goes wrong is an outcome. Written as a method,
 * so that an effect may name the arguments its schema promises.
 */
export type Effect = { run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome> }['run']
