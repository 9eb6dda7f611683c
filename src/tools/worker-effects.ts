import { bash } from './bash.ts'
import type { Effect } from './context.ts'
import { ls } from './ls.ts'
import { presentFiles } from './present-files.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

/** Built-ins that run on the agent's thread, by name: each touches one folder or file of bounded size, or only waits. */
export const workerEffects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['ls', ls],
  ['read_file', readFile],
  ['write_file', writeFile],
  ['bash', bash],
  ['present_files', presentFiles],
])
