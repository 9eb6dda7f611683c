import { nearest } from '../config/nearest.ts'
import { checkCommand } from './check.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion/command.ts'
import { demoCommand } from './demo.ts'
import { EXIT } from './exit.ts'
import { explainThrown } from './explain.ts'
import { commandHelp, mainHelp } from './help.ts'
import { initCommand } from './init.ts'
import { writeAll } from './output.ts'
import { misuse, parse, UsageError } from './parse.ts'
import { runCommand } from './run.ts'
import { shellWord } from './shell-word.ts'
import { subagentsCommand } from './subagents.ts'
import { threadsCommand } from './threads.ts'
import { fold, roomIn } from './view/fold.ts'
import type { World } from './world.ts'

export const COMMANDS: readonly Command[] = [
  runCommand,
  threadsCommand,
  subagentsCommand,
  checkCommand,
  initCommand,
  demoCommand,
  completionCommand(() => COMMANDS),
]

const find = (name: string): Command => {
  const command = COMMANDS.find((one) => one.name === name)
  if (command) return command
  const close = nearest(name, [...COMMANDS.map((one) => one.name), 'help'])
  const known = COMMANDS.map((one) => one.name).join(', ')
  throw misuse`Unknown command "${name}". ${close ? `Did you mean ${close}?` : `Known are ${known}.`}`
}

const tooMuch = ({ name, flags }: Command, word: string): UsageError => {
  const meant = flags['config'] ? ` For another config: troupe ${name} --config ${shellWord(word)}` : ''
  return misuse`troupe ${name} takes no word beside its options, and was given "${word}".${meant}`
}

const say = async (world: World, text: string): Promise<number> => {
  await writeAll(world.stdout, text)
  return EXIT.ok
}

const runCommandLine = async (argv: readonly string[], version: string, world: World): Promise<number> => {
  const [name = '', ...args] = argv
  if (name === '--version') return await say(world, `${version}\n`)
  const width = roomIn(world.stdout)
  const wantsHelp = name === 'help' || name === '--help' || name === '-h'
  if (wantsHelp) return await say(world, args[0] ? commandHelp(find(args[0]), width) : mainHelp(COMMANDS, width))
  if (name === '') {
    world.stderr.write(mainHelp(COMMANDS, roomIn(world.stderr)))
    return EXIT.usage
  }
  if (name.startsWith('-')) {
    const close = nearest(name, ['--help', '--version'])
    throw misuse`Unknown option ${name}. ${close ? `Did you mean ${close}?` : 'A command comes first: troupe run --json "..."'}`
  }
  const command = find(name)
  const parsed = parse(args, command.flags)
  if (parsed.values['help']) return await say(world, commandHelp(command, width))
  const [word] = parsed.words
  if (word !== undefined && command.takes === '') throw tooMuch(command, word)
  return await command.run(parsed, world)
}

/** Runs one command line. Resolves with the exit status; what went wrong stands on stderr. */
export const dispatch = async (argv: readonly string[], version: string, world: World): Promise<number> => {
  try {
    return await runCommandLine(argv, version, world)
  } catch (thrown) {
    const { lines, code } = explainThrown(thrown)
    const command = COMMANDS.find((one) => one.name === argv[0])
    const hint = thrown instanceof UsageError ? [`See: troupe ${command ? `${command.name} ` : ''}--help`] : []
    const folded = [...lines, ...hint].flatMap((line) => fold(line, roomIn(world.stderr)))
    world.stderr.write([...folded, ''].join('\n'))
    return code
  }
}
