import { nearest } from '../config/nearest.ts'
import { checkCommand } from './check.ts'
import type { Command } from './command.ts'
import { demoCommand } from './demo.ts'
import { EXIT } from './exit.ts'
import { explainThrown } from './explain.ts'
import { commandHelp, mainHelp } from './help.ts'
import { openOutput } from './output.ts'
import { parse, UsageError } from './parse.ts'
import { runCommand } from './run.ts'
import { subagentsCommand } from './subagents.ts'
import { threadsCommand } from './threads.ts'
import type { World } from './world.ts'

export const COMMANDS: readonly Command[] = [runCommand, threadsCommand, subagentsCommand, checkCommand, demoCommand]

const find = (name: string): Command => {
  const command = COMMANDS.find((one) => one.name === name)
  if (command) return command
  const close = nearest(name, [...COMMANDS.map((one) => one.name), 'help'])
  const known = COMMANDS.map((one) => one.name).join(', ')
  throw new UsageError(`Unknown command "${name}". ${close ? `Did you mean ${close}?` : `Known are ${known}.`}`)
}

const say = async (world: World, text: string): Promise<number> => {
  const output = openOutput(world.stdout)
  await output.write(text)
  await output.flush()
  return EXIT.ok
}

const runCommandLine = async (argv: readonly string[], version: string, world: World): Promise<number> => {
  const [name = '', ...args] = argv
  if (name === '--version') return await say(world, `${version}\n`)
  const wantsHelp = name === 'help' || name === '--help' || name === '-h'
  if (wantsHelp) return await say(world, args[0] ? commandHelp(find(args[0])) : mainHelp(COMMANDS))
  if (name === '') {
    world.stderr.write(mainHelp(COMMANDS))
    return EXIT.usage
  }
  if (name.startsWith('-')) {
    const close = nearest(name, ['--help', '--version'])
    throw new UsageError(
      `Unknown option ${name}. ${close ? `Did you mean ${close}?` : 'A command comes first: troupe run --json "..."'}`,
    )
  }
  const command = find(name)
  const parsed = parse(args, command.flags)
  return parsed.values['help'] ? await say(world, commandHelp(command)) : await command.run(parsed, world)
}

/** Runs one command line. Resolves with the exit status; what went wrong stands on stderr. */
export const dispatch = async (argv: readonly string[], version: string, world: World): Promise<number> => {
  try {
    return await runCommandLine(argv, version, world)
  } catch (thrown) {
    const { lines, code } = explainThrown(thrown)
    const command = COMMANDS.find((one) => one.name === argv[0])
    const hint = thrown instanceof UsageError ? [`See: troupe ${command ? `${command.name} ` : ''}--help`] : []
    world.stderr.write([...lines, ...hint, ''].join('\n'))
    return code
  }
}
