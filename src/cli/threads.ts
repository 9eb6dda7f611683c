import { nearest } from '../config/nearest.ts'
import { listThreads, type ThreadInfo } from '../runtime/conversations/list.ts'
import { showThread, type ThreadView } from '../runtime/conversations/show.ts'
import { CONFIG_FLAG, type Command, given } from './command.ts'
import { EXIT } from './exit.ts'
import { homeOf } from './mount.ts'
import { openOutput } from './output.ts'
import { UsageError } from './parse.ts'
import { type Column, fill, fitColumns, GAP_TEXT } from './view/columns.ts'
import { oneLine } from './view/text.ts'
import { threadLines, when } from './view/thread.ts'
import type { Out, World } from './world.ts'

const COLUMNS: readonly Column[] = [
  { name: 'id', least: 12, worth: 9 },
  { name: 'used', worth: 5 },
  { name: 'runs', worth: 3, side: 'right' },
  { name: 'messages', worth: 2, side: 'right' },
  { name: 'state', worth: 8 },
  { name: 'prompt', least: 20, worth: 6 },
]

const HEADINGS = {
  id: 'ID',
  used: 'LAST USED',
  runs: 'RUNS',
  messages: 'MESSAGES',
  state: 'STATE',
  prompt: 'FIRST PROMPT',
}

const cells = (info: ThreadInfo) => ({
  id: oneLine(info.thread_id),
  used: when(info.last_used_at),
  runs: String(info.runs),
  messages: String(info.messages),
  state: info.state,
  prompt: oneLine(info.error ?? info.first_prompt ?? ''),
})

/** `width` of 0 cuts nothing. */
const threadTable = (threads: readonly ThreadInfo[], width: number): string[] => {
  const rows = [HEADINGS, ...threads.map(cells)]
  const columns = fitColumns(COLUMNS, rows, width > 0 ? width : Number.MAX_SAFE_INTEGER)
  return rows.map((row) =>
    fill(columns, row)
      .map(({ text }) => text)
      .join(GAP_TEXT)
      .trimEnd(),
  )
}

const widthOf = (stdout: Out): number => (stdout.isTTY ? (stdout.columns ?? 80) : 0)

const listLines = async (home: string, json: boolean, stdout: Out): Promise<readonly string[]> => {
  const threads = await listThreads(home)
  if (json) return [JSON.stringify(threads, null, 2)]
  if (threads.length > 0) return threadTable(threads, widthOf(stdout))
  return [`No conversations in ${home} yet. Begin one: troupe run --thread review "What would you change here?"`]
}

const unknown = async (home: string, threadId: string): Promise<never> => {
  const ids = (await listThreads(home)).map((info) => info.thread_id)
  const close = nearest(threadId, ids)
  const way = close ? `Did you mean ${close}?` : '`troupe threads` lists all there are.'
  throw new UsageError(`There is no conversation "${threadId}" in ${home}. ${way}`)
}

const showLines = async (home: string, threadId: string, json: boolean, stdout: Out): Promise<readonly string[]> => {
  const view: ThreadView = (await showThread(home, threadId)) ?? (await unknown(home, threadId))
  return json ? [JSON.stringify(view, null, 2)] : threadLines(view, widthOf(stdout))
}

const say = async (lines: readonly string[], { stdout }: World): Promise<number> => {
  const output = openOutput(stdout)
  await output.write(`${lines.join('\n')}\n`)
  await output.flush()
  return EXIT.ok
}

export const threadsCommand: Command = {
  name: 'threads',
  about: 'List the conversations there are, or show one.',
  takes: '[ID]',
  words: 'thread',
  flags: { config: CONFIG_FLAG, json: { type: 'boolean', about: 'Print it as JSON' } },
  notes: [
    'Conversations lie in $TROUPE_HOME (default: ./.troupe), whatever the config. A run may be under way on one.',
  ],
  examples: [
    ['troupe threads', 'all of them, the one used last first'],
    ['troupe threads review', 'what was said in one, and what was delegated'],
    ["troupe threads --json | jq -r '.[0].thread_id'", 'the one used last, for a program'],
  ],
  run: async (parsed, world) => {
    const [threadId, ...more] = parsed.words
    if (more.length > 0) throw new UsageError('One conversation at a time: troupe threads ID')
    const home = homeOf(world.cwd, world.env)
    const json = given(parsed, 'json')
    if (threadId === undefined) return await say(await listLines(home, json, world.stdout), world)
    return await say(await showLines(home, threadId, json, world.stdout), world)
  },
}
