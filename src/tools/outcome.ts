import { codeOf } from '../contract/errors.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { DENIED, IRREGULAR, TOO_LARGE } from '../sandbox/refusal.ts'
import type { ToolContext } from './context.ts'
import { showGiven } from './text.ts'

export const success = (content: string): ToolOutcome => ({ status: 'success', content })

export const failure = (reason: string): ToolOutcome => ({ status: 'error', content: `Error: ${reason}` })

/** What a call does to its path, as error texts say it. */
export type Deed = 'list' | 'read' | 'write' | 'edit'

const DOING: Readonly<Record<Deed, string>> = {
  list: '',
  read: ' reading file',
  write: ' writing to file',
  edit: ' accessing file',
}

type Explain = (path: string, deed: Deed, reason: string) => string

const noPermission: Explain = (path, deed) => `Permission denied${DOING[deed]}: ${path}`

/** Own words for each code: the system's would name paths of the machine. */
const EXPLAIN: Readonly<Record<string, Explain>> = {
  [DENIED]: (path, deed, reason) => `${noPermission(path, deed, reason)} (${reason})`,
  [IRREGULAR]: (path, _, reason) => `Not a regular file: ${path} (${reason})`,
  [TOO_LARGE]: (path, _, reason) => `File is too large to be changed: ${path} (${reason})`,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: noPermission,
  ELOOP: (path, deed, reason) => `${noPermission(path, deed, reason)} (a link that leads nowhere)`,
  ENOENT: (path, deed, reason) => {
    if (deed === 'write') return noPermission(path, deed, reason)
    return `${deed === 'list' ? 'Directory' : 'File'} not found: ${path}`
  },
  ENOTDIR: (path, deed) => {
    if (deed === 'list') return `Path is not a directory: ${path}`
    return deed === 'write' ? `A part of the path is a file, not a directory: ${path}` : `File not found: ${path}`
  },
  EISDIR: (path) => `Path is a directory, not a file: ${path}`,
  ENAMETOOLONG: (path) => `A name in the path is too long: ${path}`,
  // Opening a pipe nobody reads, or a socket.
  ENXIO: (path) => `Not a regular file: ${path}`,
  ENOSPC: (path) => `No space left to write: ${path}`,
  EDQUOT: (path) => `No space left to write: ${path}`,
  EBUSY: (path, _, reason) => `Somebody else is changing it, try again: ${path} (${reason})`,
  EMFILE: (path) => `Too many files are open at once, try again: ${path}`,
}

const explain = (thrown: unknown, path: unknown, deed: Deed): string => {
  const code = codeOf(thrown)
  const shown = showGiven(path)
  if (code === undefined)
    return `Unexpected fault with ${shown}: ${thrown instanceof Error ? thrown.name : typeof thrown}`
  const reason = thrown instanceof Error ? thrown.message : ''
  return EXPLAIN[code]?.(shown, deed, reason) ?? `Could not ${deed} ${shown}: ${code}`
}

/** Runs the body of an effect; whatever it throws becomes an error the model can act on. */
export const attempt = async (
  { signal }: Pick<ToolContext, 'signal'>,
  path: unknown,
  deed: Deed,
  body: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> => {
  try {
    signal.throwIfAborted()
    return await body()
  } catch (thrown) {
    return failure(signal.aborted ? 'Stopped before it was done' : explain(thrown, path, deed))
  }
}
