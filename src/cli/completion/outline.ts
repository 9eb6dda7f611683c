import type { Command } from '../command.ts'
import { type Flag, HELP } from '../parse.ts'

/** What a shell needs to know of a command. */
export interface Outline {
  readonly name: string
  readonly about: string
  readonly flags: readonly (readonly [string, Flag])[]
  /** What its word may be, where that is known. */
  readonly words: NonNullable<Command['words']>
}

const outlineOf = ({ name, about, flags, words = [] }: Command): Outline => ({
  name,
  about,
  flags: Object.entries({ ...flags, help: HELP }),
  words,
})

/** All commands, and `help`, which is none but is called like one. */
export const outlinesOf = (commands: readonly Command[]): readonly Outline[] => [
  ...commands.map(outlineOf),
  { name: 'help', about: 'Show help, of one command or of all', flags: [], words: commands.map(({ name }) => name) },
]

/** What every script says of itself, as comments. */
export const heading = (shell: string, setup: string): string =>
  `# Completes troupe in ${shell}. It starts no program, so it is quick. To set it up:\n#   ${setup}\n`
