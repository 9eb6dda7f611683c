import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandSettings } from '../../contract/settings.ts'
import { realRoot } from '../contain.ts'
import { type Root, rootOf, type View, virtualPath, WORKSPACE } from '../view.ts'
import { createTranslator, type Spelling, type Translator } from './spellings.ts'

type Alias = CommandSettings['aliases'][number]

/** Where commands run, and how paths are spelled there. */
export interface CommandPlace {
  /** The working folder. */
  readonly cwd: string
  /** The same, as commands are to spell it. */
  readonly shownCwd: string
  readonly translator: Translator
}

/** `/.`: a link that stands for a folder is looked into, not at. */
const spell = (path: string, aliases: readonly Alias[]): string => {
  for (const { folder, name } of aliases) {
    if (path === folder) return `${name}/.`
    if (path.startsWith(`${folder}/`)) return name + path.slice(folder.length)
  }
  return path
}

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path)

const spellingOf = async (
  virtual: string,
  path: string,
  real: Promise<string>,
  own: boolean,
  aliases: readonly Alias[],
): Promise<Spelling> => {
  const host = spell(path, aliases)
  return { virtual, host, shown: [path, await real, host, host.replace(/\/\.$/, '')], unmistakable: own }
}

const ofRoot = (root: Root, aliases: readonly Alias[]): Promise<Spelling> => {
  const real = root.own ? realRoot(root) : realOf(root.host)
  return spellingOf(virtualPath(root.parts), root.host, real, root.own, aliases)
}

const workspaceOf = (view: View): Root => {
  const root = rootOf(view, WORKSPACE)
  if (root === undefined) throw new Error('a view without a workspace')
  return root
}

/** Makes the thread's own folders where they are missing. Throws when one of them was replaced by a link. */
export const commandPlace = async (view: View, home: string, aliases: readonly Alias[]): Promise<CommandPlace> => {
  const workspace = workspaceOf(view)
  const userData = dirname(workspace.host)
  // First, since it makes the folders that the others look for.
  const cwd = await realRoot(workspace)
  const spellings = await Promise.all([
    ...view.roots.map((root) => ofRoot(root, aliases)),
    spellingOf('/mnt/user-data', userData, realOf(userData), true, aliases),
    spellingOf('[home]', home, realOf(home), true, aliases).then((spelling) => ({ ...spelling, host: null })),
  ])
  return { cwd, shownCwd: spell(workspace.host, aliases), translator: createTranslator(spellings) }
}
