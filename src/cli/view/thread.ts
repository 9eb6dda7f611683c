import type { LedgerRow } from '../../contract/conversation.ts'
import type { ThreadView, TranscriptView } from '../../runtime/conversations/show.ts'
import { jsonText } from '../json.ts'
import { fold } from './fold.ts'
import { count } from './format.ts'
import { cleanVisible, cut, lineOf, oneLine } from './text.ts'

const two = (n: number): string => String(n).padStart(2, '0')

/** To the minute, where the user is. */
export const when = (ms: number): string => {
  const at = new Date(ms)
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

const short = (text: string, width: number): string => (width > 0 ? cut(text, width) : text)

const callLine = ({ name, args }: { readonly name: string; readonly args: unknown }, width: number): string =>
  short(lineOf`  · ${name} ${jsonText(args)}`, width)

const indented = (mark: string, text: string): string[] => {
  const blank = ' '.repeat(mark.length)
  return cleanVisible(text)
    .trimEnd()
    .split('\n')
    .map((line, i) => `${i === 0 ? mark : blank}${line}`.trimEnd())
}

/** What was said. Results of tools are left out: an answer says what came of them. */
const messageLines = (message: TranscriptView, width: number): string[] => {
  if (message.type === 'tool') return []
  if (message.type === 'human') return ['', ...indented('> ', message.content), '']
  const text = message.content.trim() === '' ? [] : indented('', message.content)
  return [...text, ...(message.tool_calls ?? []).map((call) => callLine(call, width))]
}

/** Columns of what is left of a subagent that did not complete. */
const PARTIAL_MAX = 600

const rowLines = (
  { status, description, subagent_type: type, result_brief: brief, partial_brief: partial }: LedgerRow,
  width: number,
): readonly string[] => {
  const came = brief === null ? '' : lineOf` -> ${brief}`
  const row = short(lineOf`  [${status}] ${description} (${type})${came}`.trimEnd(), width)
  if (partial === null) return [row]
  const left = `      so far: ${cut(oneLine(partial), PARTIAL_MAX)}`
  return [row, ...fold(left, width > 0 ? width : Number.POSITIVE_INFINITY)]
}

const STATES: Readonly<Record<ThreadView['state'], string>> = {
  idle: 'idle',
  busy: 'a run is under way',
  interrupted: 'its last run was cut off',
  unreadable: 'unreadable',
}

const lastEnd = ({ run_list: runs }: ThreadView): string => {
  const status = runs.at(-1)?.status ?? null
  return status === null ? '' : `, the last one ${status}`
}

/** A conversation for a person to read, and where its files lie; `width` of 0 cuts nothing. */
export const threadLines = (view: ThreadView, files: string | null, width: number): readonly string[] => {
  const { thread_id: id, state, runs, messages, last_used_at: at, file, summary, transcript, delegations } = view
  const facts = `${count(runs, 'run')}${lastEnd(view)}; ${count(messages, 'message')}; last used ${when(at)}`
  return [
    `${oneLine(id)}: ${STATES[state]}. ${facts}`,
    oneLine(file),
    ...(files === null ? [] : [lineOf`files: ${files}`]),
    ...(summary === null ? [] : ['', 'Earlier, in short:', ...indented('', summary)]),
    ...transcript.flatMap((message) => messageLines(message, width)),
    ...(delegations.length === 0 ? [] : ['', 'Delegated:', ...delegations.flatMap((row) => rowLines(row, width))]),
  ]
}
