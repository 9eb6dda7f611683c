import { join } from 'node:path'
import type { Mount } from '../contract/tools.ts'
import { compileHides, type Hides } from './hidden.ts'

/** A virtual folder that stands for a folder of the machine. */
export interface Root {
  /** Segments of the virtual path. */
  readonly parts: readonly string[]
  readonly host: string
  readonly writable: boolean
  /** The thread's own folder: made when it is first needed. */
  readonly own: boolean
  /** Of segments below the root. */
  readonly hides: Hides
}

/** What of the machine an agent can name. */
export interface View {
  readonly roots: readonly Root[]
}

const USER_DATA: readonly string[] = ['mnt', 'user-data']
export const OWN_FOLDERS: readonly string[] = ['workspace', 'uploads', 'outputs']
/** Where a relative path counts from. */
export const WORKSPACE: readonly string[] = [...USER_DATA, 'workspace']

const ownRoot = (userData: string, folder: string): Root => ({
  parts: [...USER_DATA, folder],
  host: join(userData, folder),
  writable: true,
  own: true,
  hides: () => false,
})

const mountRoot = ({ host, path, writable, hidden }: Mount): Root => ({
  parts: path.split('/').filter((part) => part !== ''),
  host,
  writable,
  own: false,
  hides: compileHides(hidden),
})

const startsWith = (parts: readonly string[], start: readonly string[]): boolean =>
  parts.length >= start.length && start.every((part, i) => parts[i] === part)

/** The innermost root that holds a virtual path. */
export const rootOf = (view: View, parts: readonly string[]): Root | undefined => {
  let best: Root | undefined
  for (const root of view.roots) {
    if (startsWith(parts, root.parts) && root.parts.length > (best?.parts.length ?? 0)) best = root
  }
  return best
}

/** Names that lead on to a root below: what a folder that exists only in the view holds. */
export const namesTowardsRoots = (view: View, parts: readonly string[]): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const root of view.roots) {
    const next = root.parts[parts.length]
    if (next !== undefined && startsWith(root.parts, parts)) names.add(next)
  }
  return names
}

/** The thread's own folders first, so that no mount takes their place. */
export const createView = ({
  userData,
  mounts,
}: {
  readonly userData: string
  readonly mounts: readonly Mount[]
}): View => ({
  roots: [...OWN_FOLDERS.map((folder) => ownRoot(userData, folder)), ...mounts.map(mountRoot)],
})

export const virtualPath = (parts: readonly string[]): string => `/${parts.join('/')}`
