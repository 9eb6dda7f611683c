import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home for one run: gone afterwards, also when the process leaves at once. */
export const temporaryHome = async (): Promise<{ readonly path: string; remove(): void }> => {
  const path = await mkdtemp(join(tmpdir(), 'troupe-demo-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { path, remove }
}
