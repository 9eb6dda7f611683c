import type { Flags, Parsed } from './parse.ts'
import type { World } from './world.ts'

/** One subcommand of `troupe`. */
export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly about: string
  /** What follows the flags, such as `PROMPT|-`. */
  readonly takes: string
  /** What the word after the flags may be, where that is known: the name of a conversation, or one of these. */
  readonly words?: 'thread' | readonly string[]
  readonly flags: Flags
  /** Command line and what it is for. */
  readonly examples: readonly (readonly [string, string])[]
  /** Paragraphs below the flags. */
  readonly notes?: readonly string[]
  /** Resolves with the exit status. May throw a `UsageError` or a `TroupeError`. */
  run(parsed: Parsed, world: World): Promise<number>
}

export const CONFIG_FLAG = {
  type: 'string',
  value: 'FILE',
  about: 'Config file (default: $TROUPE_CONFIG, then ./config.yaml)',
  completes: 'file',
} as const

export const VERBOSE_FLAG = {
  type: 'boolean',
  about: 'Everything that the runtime logs, such as what tools print, on stderr',
} as const

export const text = (parsed: Parsed, name: string): string | undefined => {
  const value = parsed.values[name]
  return typeof value === 'string' ? value : undefined
}

export const number = (parsed: Parsed, name: string): number | undefined => {
  const value = parsed.values[name]
  return typeof value === 'number' ? value : undefined
}

export const given = (parsed: Parsed, name: string): boolean => parsed.values[name] === true
