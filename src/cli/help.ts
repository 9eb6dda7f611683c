import type { Command } from './command.ts'
import { type Flag, HELP } from './parse.ts'
import { foldText } from './view/fold.ts'

type Row = readonly [string, string]

const INDENT = '  '
// With less room beside them, explanations stand below what they explain.
const RIGHT_LEAST = 24

const table = (rows: readonly Row[], width: number): string[] => {
  const left = Math.max(...rows.map(([name]) => name.length)) + 2 * INDENT.length
  const beside = width - left >= RIGHT_LEAST
  const indent = beside ? left : 3 * INDENT.length
  return rows.flatMap(([name, about]) => {
    const [first = '', ...rest] = foldText(about, width - indent)
    const begins = INDENT + name
    return [
      ...(beside ? [begins.padEnd(left) + first] : [begins, ' '.repeat(indent) + first]),
      ...rest.map((line) => ' '.repeat(indent) + line),
    ]
  })
}

const flagRow = ([name, flag]: [string, Flag]): Row => [
  `${name === 'help' ? '-h, ' : ''}--${name}${flag.type === 'boolean' ? '' : ` ${flag.value ?? 'VALUE'}`}`,
  flag.about,
]

/** Not folded: they are there to be copied. */
const examples = (rows: Command['examples']): string[] => [
  'Examples:',
  ...rows.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`]),
]

export const commandHelp = (command: Command, width: number): string =>
  [
    ...foldText(command.about, width),
    '',
    `Usage: troupe ${command.name}${Object.keys(command.flags).length > 0 ? ' [options]' : ''}${command.takes ? ` ${command.takes}` : ''}`,
    '',
    'Options:',
    ...table(Object.entries({ ...command.flags, help: HELP }).map(flagRow), width),
    '',
    ...(command.notes ?? []).flatMap((note) => [...foldText(note, width), '']),
    ...examples(command.examples),
    '',
  ].join('\n')

export const mainHelp = (commands: readonly Command[], width: number): string =>
  [
    ...foldText('Troupe runs a lead agent that delegates to subagents, on worker threads.', width),
    '',
    'Usage: troupe COMMAND [options]',
    '',
    'Commands:',
    ...table(
      [
        ...commands.map(({ name, about }) => [name, about] as const),
        ['help [COMMAND]', 'Show help, of one command or of all'],
      ],
      width,
    ),
    '',
    'Options:',
    ...table(
      [
        ['-h, --help', 'Show help'],
        ['--version', 'Show the version'],
      ],
      width,
    ),
    '',
    ...examples([
      ['troupe demo', 'watch a lead and three subagents survey this folder; needs no key'],
      ['troupe init', 'write a config to begin with, and see what to do next'],
      [
        'OPENAI_API_KEY=... troupe run "Where is the retry logic, and is it right?"',
        'ask a real model about this folder',
      ],
      ['troupe run --help', 'everything that run can do'],
    ]),
    '',
    ...foldText(
      'Exit status: 0 completed, 1 failed or timed out, 2 bad usage or config, 3 needs input, 130 cancelled.',
      width,
    ),
    '',
  ].join('\n')
