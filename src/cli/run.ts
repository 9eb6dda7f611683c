import { text as readAll } from 'node:stream/consumers'
import type { RunOptions } from '../contract/api.ts'
import { CONFIG_FLAG, type Command, given, number, text, VERBOSE_FLAG } from './command.ts'
import { conduct } from './conduct.ts'
import { PROJECT_PATH } from './mount.ts'
import { misuse, type Parsed, UsageError } from './parse.ts'
import type { World } from './world.ts'

const promptOf = async ({ words }: Parsed, { stdin, stderr }: World): Promise<string> => {
  if (words.length === 0)
    throw new UsageError('A prompt is missing: troupe run "Your question", or - to read it from standard input.')
  if (!words.includes('-')) return words.join(' ')
  if (words.length > 1)
    throw new UsageError(
      '- stands for a prompt from standard input and leaves no room for another: troupe run - < prompt.md',
    )
  if (stdin.isTTY) stderr.write('Write the prompt; Ctrl-D ends it.\n')
  return await readAll(stdin)
}

const threadOf = (parsed: Parsed): string | undefined => {
  const thread = text(parsed, 'thread')
  if (thread === undefined || /^[\w-]{1,64}$/.test(thread)) return thread
  throw misuse`--thread takes a name of 1 to 64 letters, digits, "_" or "-", not "${thread}".`
}

/** Only what was given, so that the config decides the rest. */
export const runOptionsOf = (parsed: Parsed): RunOptions => {
  const [threadId, model, agent] = [threadOf(parsed), text(parsed, 'model'), text(parsed, 'agent')]
  const [concurrent, total] = [number(parsed, 'max-concurrent'), number(parsed, 'max-total')]
  return {
    ...(threadId !== undefined && { threadId }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    ...(concurrent !== undefined && { maxConcurrentSubagents: concurrent }),
    ...(total !== undefined && { maxTotalSubagents: total }),
    ...(given(parsed, 'no-subagents') && { subagentEnabled: false }),
  }
}

export const runCommand: Command = {
  name: 'run',
  about: 'Give a task to a lead agent and its subagents.',
  takes: 'PROMPT|-',
  flags: {
    config: CONFIG_FLAG,
    thread: {
      type: 'string',
      value: 'ID',
      about: 'Conversation to continue, or to begin under this name',
      completes: 'thread',
    },
    model: { type: 'string', value: 'NAME', about: 'Entry of `models` in the config (default: the first)' },
    agent: { type: 'string', value: 'NAME', about: 'Custom agent that leads' },
    'max-concurrent': { type: 'number', value: 'N', about: 'Subagents at a time, 1 to 64 (default: 3)' },
    'max-total': { type: 'number', value: 'N', about: 'Subagents in all, 1 to 50 (default: 6)' },
    'no-subagents': { type: 'boolean', about: 'The lead works alone' },
    json: { type: 'boolean', about: 'One event a line on stdout, as JSON' },
    verbose: VERBOSE_FLAG,
  },
  notes: [
    `The folder you are in is read-only for the agents, as ${PROJECT_PATH}; .env* files and Troupe's own folder stay hidden. Commands under \`sandbox.allow_host_bash\` are not bound by that: they can do what you can.`,
    'The answer goes to stdout, progress to stderr. A terminal shows its Markdown rendered, a pipe gets it as the model wrote it.',
    'Ctrl-C cancels and keeps what was found; a second one leaves at once. After -- all words belong to the prompt.',
  ],
  examples: [
    ['troupe run "Which parts of this folder lack tests?"', 'ask about the folder you are in'],
    ['git diff | troupe run -', 'the prompt comes from standard input'],
    ['troupe run --thread review "And the error paths?"', 'go on with a conversation'],
    ['troupe run --verbose "Call my tool"', 'see what your tools print'],
    ['troupe run --json "List the TODOs" | jq -r \'select(.type == "task_completed").result\'', 'events for a program'],
  ],
  run: async (parsed, world) => {
    const prompt = await promptOf(parsed, world)
    if (prompt.trim() === '') throw new UsageError('The prompt is empty.')
    const config = text(parsed, 'config')
    return await conduct(
      {
        runtime: config === undefined ? {} : { config },
        run: runOptionsOf(parsed),
        prompt,
        json: given(parsed, 'json'),
        verbose: given(parsed, 'verbose'),
      },
      world,
    )
  },
}
