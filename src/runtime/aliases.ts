import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandSettings } from '../contract/settings.ts'

/** What means nothing but itself to a shell, quoted or not, however often it is read. */
const PLAIN = /^[\w@%+=:,./-]+$/

/** Links by which commands name folders whose own names hold a blank, a quote or the like. */
export interface Aliases {
  readonly list: CommandSettings['aliases']
  close(): void
}

export const openAliases = async (folders: readonly string[]): Promise<Aliases> => {
  const odd = [...new Set(folders)].filter((folder) => !PLAIN.test(folder))
  if (odd.length === 0) return { list: [], close: () => {} }
  const base = await mkdtemp(join(PLAIN.test(tmpdir()) ? tmpdir() : '/tmp', 'troupe-'))
  const close = (): void => {
    process.off('exit', close)
    rmSync(base, { recursive: true, force: true })
  }
  process.on('exit', close)
  const list = odd.map((folder, index) => ({ folder, name: join(base, String(index)) }))
  for (const { folder, name } of list) await symlink(folder, name)
  return { list, close }
}
