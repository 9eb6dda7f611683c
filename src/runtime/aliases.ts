import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandSettings } from '../contract/settings.ts'

/** What means nothing but itself to a shell, quoted or not, however often it is read. */
const PLAIN = /^[\w@%+=:,./-]+$/

/** Links by which commands name folders whose own names hold a blank, a quote or the like. */
export interface Aliases {
  /** Those of these folders that need one, each with the one it has had from the first time on. */
  of(folders: readonly string[]): Promise<CommandSettings['aliases']>
  close(): void
}

export const createAliases = (): Aliases => {
  const names = new Map<string, string>()
  let base: string | null = null

  const close = (): void => {
    process.off('exit', close)
    if (base !== null) rmSync(base, { recursive: true, force: true })
  }

  const add = async (folder: string): Promise<void> => {
    if (base === null) {
      base = await mkdtemp(join(PLAIN.test(tmpdir()) ? tmpdir() : '/tmp', 'troupe-'))
      process.on('exit', close)
    }
    const name = join(base, String(names.size))
    names.set(folder, name)
    await symlink(folder, name)
  }

  return {
    async of(folders) {
      const odd = [...new Set(folders)].filter((folder) => !PLAIN.test(folder))
      for (const folder of odd) if (!names.has(folder)) await add(folder)
      return odd.map((folder) => ({ folder, name: names.get(folder) ?? folder }))
    },
    close,
  }
}
