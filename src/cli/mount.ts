import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Mount } from '../contract/tools.ts'

/** Where agents see the folder the command runs in. */
export const PROJECT_PATH = '/mnt/project'

type Env = Readonly<Record<string, string | undefined>>

/** The root of all that Troupe writes, as `createRuntime` would choose it. */
export const homeOf = (cwd: string, env: Env): string => resolve(cwd, env['TROUPE_HOME'] || '.troupe')

/** The folder a command runs in, to be read and not written, without Troupe's own files and without secrets. */
export const projectMount = (cwd: string, home: string): Mount => {
  const inside = relative(cwd, home)
  const holdsHome = inside !== '' && inside.split(sep)[0] !== '..' && !isAbsolute(inside)
  return {
    host: cwd,
    path: PROJECT_PATH,
    writable: false,
    hidden: ['.env*', ...(holdsHome ? [inside.split(sep).join('/')] : [])],
  }
}
