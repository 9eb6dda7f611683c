import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Problem } from '../../contract/errors.ts'
import type { Tree } from '../prepare.ts'
import { firstByValue } from './first.ts'
import { problem, texts } from './tree.ts'

/** Every mounted folder is there, and no two are seen at one path. */
export const checkMounts = async (tree: Tree, baseDir: string): Promise<readonly Problem[]> => {
  const hosts = await Promise.all(
    texts(tree, 'sandbox.mounts.*.host').map(async ({ path, value }) => {
      const found = await stat(resolve(baseDir, value)).catch(() => null)
      if (found === null) return [problem('error', path, 'mount_missing', `no such folder: ${value}`)]
      return found.isDirectory() ? [] : [problem('error', path, 'mount_missing', `is no folder: ${value}`)]
    }),
  )
  const seen = texts(tree, 'sandbox.mounts.*.path')
  const first = firstByValue(seen)
  const twice = seen
    .filter((mount) => first.get(mount.value) !== mount)
    .map(({ path, value }) =>
      problem('error', path, 'duplicate_name', `is taken: another folder is mounted at ${value}`),
    )
  return [...hosts.flat(), ...twice]
}
