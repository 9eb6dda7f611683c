import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '../contract/errors.ts'
import { type Command, given, text } from './command.ts'
import { EXIT } from './exit.ts'
import { SCHEMA_LINE, STARTER_CONFIG, takeOver } from './init-config.ts'
import { writeAll } from './output.ts'
import { misuse } from './parse.ts'
import { shellWord } from './shell-word.ts'
import { lineOf } from './view/text.ts'
import type { World } from './world.ts'

const DEFAULT_FILE = 'config.yaml'

const REFUSALS: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already. --force replaces it, --config FILE writes another file.',
  EISDIR: 'it is a folder. Name a file in it: --config FILE.',
  ENOENT: 'there is no such folder. Make it first, or choose another place with --config FILE.',
  ENOTDIR: 'a part of this path is a file and no folder. Choose another place with --config FILE.',
  EACCES: 'you may not write there. Choose another place with --config FILE.',
  EPERM: 'you may not write there. Choose another place with --config FILE.',
  EROFS: 'this disk is read-only. Choose another place with --config FILE.',
}

const write = async (path: string, content: string, named: string, force: boolean): Promise<void> => {
  try {
    await writeFile(path, content, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw misuse`${named} was not written: ${REFUSALS[code] ?? messageOf(error)}`
  }
}

/** What to do next, for someone who sees Troupe for the first time. */
const nextSteps = (file: string, { env, cwd }: World): string[] => {
  const chosen = env['TROUPE_CONFIG'] ? resolve(cwd, env['TROUPE_CONFIG']) : resolve(cwd, DEFAULT_FILE)
  const flag = resolve(cwd, file) === chosen ? '' : ` --config ${shellWord(file)}`
  return [
    'Next:',
    ...(env['OPENAI_API_KEY'] ? [] : ['  export OPENAI_API_KEY=...']),
    `  troupe check${flag}`,
    `  troupe run${flag} "What does this project do, and how is it tested?"`,
  ]
}

/** Where the model comes from, for someone who may expect a variable to count. */
const origin = (taken: readonly string[]): string => {
  const from = taken.length > 0 ? `The model is taken over from ${taken.join(' and ')}. ` : ''
  const to = taken.includes('OPENAI_BASE_URL')
    ? ''
    : 'OPENAI_BASE_URL is not set, so prompts go to api.openai.com: see base_url. '
  return (from + to).trimEnd()
}

export const initCommand: Command = {
  name: 'init',
  about: 'Write a commented config to begin with.',
  takes: '',
  flags: {
    config: {
      type: 'string',
      value: 'FILE',
      about: `Where to write it (default: ./${DEFAULT_FILE})`,
      completes: 'file',
    },
    full: { type: 'boolean', about: 'Every key there is, with its default' },
    force: { type: 'boolean', about: 'Replace the file if it is there' },
  },
  notes: [
    'OPENAI_BASE_URL and OPENAI_MODEL are taken over, by name, where they are set; set later, they count only once the file names them.',
    'A file that is there stays as it is, unless --force is given.',
  ],
  examples: [
    ['troupe init', 'config.yaml in this folder: a model, limits, a subagent of your own'],
    ['troupe init --full --config all.yaml', 'every key with its default, to copy from'],
  ],
  run: async (parsed, world) => {
    const file = text(parsed, 'config') ?? DEFAULT_FILE
    const blank = given(parsed, 'full') ? await world.packageFile('config.example.yaml') : STARTER_CONFIG
    const { config, taken } = takeOver(blank, world.env)
    await write(resolve(world.cwd, file), SCHEMA_LINE + config, file, given(parsed, 'force'))
    await writeAll(
      world.stdout,
      [lineOf`Wrote ${file}. ${origin(taken)}`, '', ...nextSteps(file, world), ''].join('\n'),
    )
    return EXIT.ok
  },
}
