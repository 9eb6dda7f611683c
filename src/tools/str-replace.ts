import type { ToolOutcome } from '../contract/tools.ts'
import { rewriteFile } from '../sandbox/rewrite.ts'
import type { ToolContext } from './context.ts'
import { type Edited, editText, PLACES_MAX } from './edit-text.ts'
import { attempt, failure, success } from './outcome.ts'
import { showGiven } from './text.ts'

/** A file is searched on the agents' own thread: this much takes it some hundredths of a second. */
const BYTES_MAX = 4 * 1024 * 1024
const UNCHANGED = 'Nothing was changed.'

export type StrReplaceArguments = {
  readonly path: string
  readonly old_str: string
  readonly new_str: string
  readonly replace_all?: boolean | undefined
}

const problemOf = ({ old_str, new_str }: StrReplaceArguments): string | null => {
  if (old_str === '')
    return (
      `old_str is empty, so there is no place to change. ${UNCHANGED} Give the text that new_str is to replace; ` +
      'to insert, give the text beside it and repeat it in new_str; to add to the end use write_file with append: true'
    )
  return old_str === new_str ? `old_str and new_str are the same. ${UNCHANGED}` : null
}

/** What is shown in place of bytes and controls that no text can name. */
const STAND_INS = /[\ufffd\u2400-\u2421]/

const notFound = (path: string, oldText: string): string =>
  `String to replace not found in file: ${path}. ${UNCHANGED} old_str must be in the file to the letter, with its ` +
  `indentation and line breaks: read the file again and copy it from there${
    STAND_INS.test(oldText)
      ? '. Characters such as \ufffd and \u241b stand for bytes that are not text: leave them out'
      : ''
  }`

const several = (path: string, count: number, lines: readonly number[]): string => {
  if (count > PLACES_MAX)
    return `old_str is at more than ${PLACES_MAX} places in ${path}. ${UNCHANGED} Give more of the text`
  const more = count > lines.length ? ' and more' : ''
  return (
    `old_str is at ${count} places in ${path}, on lines ${lines.join(', ')}${more}. ${UNCHANGED} ` +
    'Give more of the text around the one you mean, or replace_all: true to change them all'
  )
}

const explain = (edited: Exclude<Edited, { ok: true }>, { path, old_str }: StrReplaceArguments): ToolOutcome => {
  const shown = showGiven(path)
  switch (edited.why) {
    case 'binary':
      return failure(`Cannot change ${shown} as text: it is a binary file (${edited.kind}). ${UNCHANGED}`)
    case 'none':
      return failure(notFound(shown, old_str))
    case 'several':
      return failure(several(shown, edited.count, edited.lines))
    case 'large':
      return failure(`${shown} would have ${edited.size} bytes, at most ${BYTES_MAX}. ${UNCHANGED}`)
  }
}

/** Replaces a text in a file: the only place of it, or all. */
export const strReplace = (args: StrReplaceArguments, { view, signal }: ToolContext): Promise<ToolOutcome> =>
  attempt({ signal }, args.path, 'edit', async () => {
    const problem = problemOf(args)
    if (problem !== null) return failure(problem)
    const edit = { oldText: args.old_str, newText: args.new_str, all: args.replace_all === true }
    let edited: Edited = { ok: false, why: 'none' }
    const change = (bytes: Buffer): Buffer | null => {
      edited = editText(bytes, edit, BYTES_MAX)
      return edited.ok ? edited.bytes : null
    }
    const path = await rewriteFile(view, args.path, change, { bytesMax: BYTES_MAX, signal })
    const came = edited as Edited
    if (!came.ok) return explain(came, args)
    return { ...success(edit.all ? `OK (places changed: ${came.count})` : 'OK'), files: [path] }
  })
