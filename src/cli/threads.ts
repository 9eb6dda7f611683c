import { existsSync } from 'node:fs'
import { nearest } from '../config/nearest.ts'
import { messageOf } from '../contract/errors.ts'
import { listThreads, type ThreadInfo } from '../runtime/conversations/list.ts'
import { showThread, type ThreadView } from '../runtime/conversations/show.ts'
import { type Command, given } from './command.ts'
import { EXIT } from './exit.ts'
import { filesOf } from './files.ts'
import { jsonText } from './json.ts'
import { homeOf } from './mount.ts'
import { writeAll } from './output.ts'
import { misuse, UsageError } from './parse.ts'
import { type Column, fill, fitColumns, GAP_TEXT } from './view/columns.ts'
import { cut, lineOf, oneLine } from './view/text.ts'
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

/** Columns of a first prompt, also where no terminal ends them: who wants all of it asks for that conversation. */
const PROMPT_MAX = 120

const cells = (info: ThreadInfo) => ({
  id: oneLine(info.thread_id),
  used: when(info.last_used_at),
  runs: String(info.runs),
  messages: String(info.messages),
  state: info.state,
  prompt: info.error === null ? cut(oneLine(info.first_prompt ?? ''), PROMPT_MAX) : oneLine(info.error),
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

const UNLISTABLE: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of this path is a file and no folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
}

const list = async (home: string): Promise<readonly ThreadInfo[]> => {
  try {
    return await listThreads(home)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const why = UNLISTABLE[code] ?? messageOf(error)
    throw misuse`No conversations can be in ${home}/threads: ${why}. TROUPE_HOME may name another folder.`
  }
}

const listLines = async (home: string, json: boolean, stdout: Out): Promise<readonly string[]> => {
  const threads = await list(home)
  if (json) return [jsonText(threads, 2)]
  if (threads.length > 0) return threadTable(threads, widthOf(stdout))
  return [lineOf`No conversations in ${home} yet. Begin one: troupe run --thread review "What would you change here?"`]
}

const unknown = async (home: string, threadId: string): Promise<never> => {
  const ids = (await list(home)).map((info) => info.thread_id)
  const close = nearest(threadId, ids)
  const way = close ? lineOf`Did you mean ${close}?` : '`troupe threads` lists all there are.'
  throw misuse`There is no conversation "${threadId}" in ${home}. ${way}`
}

const showLines = async (home: string, threadId: string, json: boolean, stdout: Out): Promise<readonly string[]> => {
  const view: ThreadView = (await showThread(home, threadId)) ?? (await unknown(home, threadId))
  if (json) return [jsonText(view, 2)]
  const files = filesOf(home, threadId)
  return threadLines(view, existsSync(files) ? files : null, widthOf(stdout))
}

const say = async (lines: readonly string[], { stdout }: World): Promise<number> => {
  await writeAll(stdout, `${lines.join('\n')}\n`)
  return EXIT.ok
}

export const threadsCommand: Command = {
  name: 'threads',
  about: 'List the conversations there are, or show one.',
  takes: '[ID]',
  words: 'thread',
  flags: { json: { type: 'boolean', about: 'Print it as JSON' } },
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
