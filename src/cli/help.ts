import type { Command } from './command.ts'
import { type Flag, HELP } from './parse.ts'

const table = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

const flagRow = ([name, flag]: [string, Flag]): readonly [string, string] => [
  `${name === 'help' ? '-h, ' : ''}--${name}${flag.type === 'boolean' ? '' : ` ${flag.value ?? 'VALUE'}`}`,
  flag.about,
]

const examples = (rows: Command['examples']): string[] => [
  'Examples:',
  ...rows.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`]),
]

export const commandHelp = (command: Command): string =>
  [
    command.about,
    '',
    `Usage: troupe ${command.name}${Object.keys(command.flags).length > 0 ? ' [options]' : ''}${command.takes ? ` ${command.takes}` : ''}`,
    '',
    'Options:',
    ...table(Object.entries({ ...command.flags, help: HELP }).map(flagRow)),
    '',
    ...(command.notes ?? []).flatMap((note) => [note, '']),
    ...examples(command.examples),
    '',
  ].join('\n')

export const mainHelp = (commands: readonly Command[]): string =>
  [
    'Troupe runs a lead agent that delegates to subagents, on worker threads.',
    '',
    'Usage: troupe COMMAND [options]',
    '',
    'Commands:',
    ...table([
      ...commands.map(({ name, about }) => [name, about] as const),
      ['help [COMMAND]', 'Show help, of one command or of all'],
    ]),
    '',
    'Options:',
    ...table([
      ['-h, --help', 'Show help'],
      ['--version', 'Show the version'],
    ]),
    '',
    ...examples([
      ['troupe demo', 'watch a lead and three subagents survey this folder; needs no key'],
      [
        'OPENAI_API_KEY=... troupe run "Where is the retry logic, and is it right?"',
        'ask a real model about this folder',
      ],
      ['troupe run --help', 'everything that run can do'],
    ]),
    '',
    'Exit status: 0 completed, 1 failed or timed out, 2 bad usage or config, 3 needs input, 130 cancelled.',
    '',
  ].join('\n')
