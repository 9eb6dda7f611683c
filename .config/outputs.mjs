import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './bundles.mjs'

const dist = join(root, 'dist')

/** Where what is built but not shipped lives; below node_modules, so that what is compiled there finds its packages. */
export const cache = () => {
  const folder = join(root, 'node_modules/.cache/troupe')
  mkdirSync(folder, { recursive: true })
  return folder
}

const stampFile = () => join(cache(), 'build.json')

export const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
        .sort()
    : []

/** Names every source with its size and time, so that a file that went away counts as a change too. */
export const fingerprint = () => {
  const sources = ['src', 'machines', '.config'].flatMap((top) =>
    filesBelow(join(root, top)).map((path) => join(top, path)),
  )
  const hash = createHash('sha1')
  for (const path of [...sources, 'config.example.yaml', 'package-lock.json', 'tsconfig.json']) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

export const isFresh = (print, types) => {
  if (!existsSync(stampFile())) return false
  const last = JSON.parse(readFileSync(stampFile(), 'utf8'))
  return (
    last.fingerprint === print && (last.types || !types) && last.files.every((path) => existsSync(join(dist, path)))
  )
}

export const stamp = (record) => put(stampFile(), JSON.stringify(record))

/** Writes beside and renames, so that a process that loads the file meanwhile reads the old one or the new one. */
const put = (path, contents) => {
  const beside = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(beside, contents)
  renameSync(beside, path)
}

/** Makes dist/ hold these files and, with `remove`, no others. */
export const sync = (files, { remove, types }) => {
  for (const [path, contents] of files) put(join(dist, path), contents)
  if (files.has('cli.js')) chmodSync(join(dist, 'cli.js'), 0o755)
  if (!remove) return
  const kept = (path) => files.has(path) || (!types && path.startsWith('types/'))
  for (const path of filesBelow(dist)) if (!kept(path)) rmSync(join(dist, path))
}
