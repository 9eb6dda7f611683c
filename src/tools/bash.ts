import { codeOf } from '../contract/errors.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { BASH_TOOL_DISABLED } from '../policy/bash-gate.ts'
import { findShell } from '../sandbox/commands/find-shell.ts'
import { lookAtOutputs, lookAtOutputsNow, writtenBetween } from '../sandbox/commands/outputs.ts'
import { commandPlace } from '../sandbox/commands/roots.ts'
import { runCommand } from '../sandbox/commands/run.ts'
import { DENIED } from '../sandbox/refusal.ts'
import { commandReport } from './command-report.ts'
import type { CommandContext, ToolContext } from './context.ts'
import { failure, success } from './outcome.ts'

const LENGTH_MAX = 10_000

export type BashArguments = { readonly command: string }

const problemOf = (command: string): string | null => {
  if (command.trim() === '') return 'empty command'
  if (command.length > LENGTH_MAX)
    return `command too long (${command.length} characters, at most ${LENGTH_MAX}). Write it into a script file and run that`
  return command.includes('\0') ? 'null byte detected: a command is text' : null
}

let shell: string | undefined

const runPlaced = async (
  command: string,
  commands: CommandContext,
  { view, signal }: ToolContext,
): Promise<ToolOutcome> => {
  const { home, aliases, env, timeoutMs, owner, ownOutputs } = commands
  const { cwd, shownCwd, translator } = await commandPlace(view, home, aliases)
  const before = await lookAtOutputs(view, ownOutputs)
  shell ??= findShell(env['PATH'])
  const order = { shell, command: translator.toHost(command), cwd, env: { ...env, PWD: shownCwd }, timeoutMs }
  // Whatever ends an agent in mid-command, the files written until then are kept.
  const forget = owner.atEnd(() => owner.wrote(writtenBetween(before, lookAtOutputsNow(view, ownOutputs))))
  try {
    const end = await runCommand(order, owner, signal)
    if (!end.started) return failure('The command was not run: its agent has ended')
    const content = translator.toVirtual(commandReport(end, timeoutMs))
    const files = writtenBetween(before, await lookAtOutputs(view, ownOutputs))
    return { ...success(content), ...(files.length > 0 && { files }) }
  } finally {
    forget()
  }
}

const run = async (command: string, commands: CommandContext, context: ToolContext): Promise<ToolOutcome> => {
  const leave = await commands.owner.admit(context.signal)
  try {
    return await runPlaced(command, commands, context)
  } finally {
    leave()
  }
}

const explain = (thrown: unknown): string => {
  const code = codeOf(thrown)
  if (code === DENIED && thrown instanceof Error) return thrown.message
  return `The shell could not be started (${code ?? 'for an unknown reason'})`
}

const STOPPED = 'Stopped before it was done'

/** Runs a command in the workspace. A command that fails is a success that says how: its agent has to see it. */
export const bash = async ({ command }: BashArguments, context: ToolContext): Promise<ToolOutcome> => {
  const { commands, signal } = context
  if (signal.aborted) return failure(STOPPED)
  if (commands === undefined) return failure(BASH_TOOL_DISABLED)
  const problem = problemOf(command)
  if (problem !== null) return failure(problem)
  try {
    return await run(command, commands, context)
  } catch (thrown) {
    return failure(signal.aborted ? STOPPED : explain(thrown))
  }
}
