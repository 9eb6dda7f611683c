import { PROJECT_PATH } from '../mount.ts'
import { lineOf } from './text.ts'

// Of several the first: of grep and glob the pattern says more than the folder.
const SHOWN = ['pattern', 'command', 'path', 'query', 'url', 'question', 'prompt'] as const

const tellingValue = (args: unknown): string => {
  if (typeof args !== 'object' || args === null) return ''
  const fields = args as Readonly<Record<string, unknown>>
  const key = SHOWN.find((name) => typeof fields[name] === 'string')
  if (key === undefined) return ''
  const value = String(fields[key])
  // A command is shown as it runs: where it writes to is what a reader looks for.
  return key === 'command' ? value : value.replace(`${PROJECT_PATH}/`, '')
}

/** A tool call as one plain line: `grep TODO`, `read_file README.md`. */
export const toolLine = (name: string, args: unknown): string => lineOf`${name} ${tellingValue(args)}`.trim()
