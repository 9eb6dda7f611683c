import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where `/bin` holds no bash, `PATH` may. */
const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The bash of this machine, or the plain shell where there is none. */
export const findShell = (searchPath = ''): string => {
  const folders = [...FOLDERS, ...searchPath.split(delimiter).filter((folder) => folder.startsWith('/'))]
  return folders.map((folder) => join(folder, 'bash')).find(canRun) ?? '/bin/sh'
}
