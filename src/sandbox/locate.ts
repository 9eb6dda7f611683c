import { pathText, TRAVERSAL } from './path-text.ts'
import { denied } from './refusal.ts'
import { namesTowardsRoots, type Root, rootOf, type View, virtualPath, WORKSPACE } from './view.ts'

/** A place below a root; its links are not followed yet. */
export interface Place {
  readonly path: string
  readonly root: Root
  /** Segments below the root. */
  readonly below: readonly string[]
}

/** A folder that exists only in the view, such as `/mnt`: it can be listed and holds nothing but the way to the roots. */
export interface Signpost {
  readonly path: string
  readonly root: null
  readonly names: ReadonlySet<string>
}

const segmentsOf = (text: string): string[] => text.split('/').filter((part) => part !== '' && part !== '.')

/** Takes out `..`, which may cancel what follows the first `floor` segments. */
const flatten = (written: readonly string[], floor: number): string[] => {
  const parts: string[] = []
  for (const part of written) {
    if (part !== '..') parts.push(part)
    else if (parts.length > floor) parts.pop()
    else throw denied(TRAVERSAL)
  }
  return parts
}

/**
 * The segments of a path. By `..` an absolute one stays in its root; a relative one also gets to the thread's other
 * folders, where it leads in a command.
 */
const partsOf = (view: View, text: string): string[] => {
  const written = segmentsOf(text)
  if (text.startsWith('/')) return flatten(written, rootOf(view, written)?.parts.length ?? Number.POSITIVE_INFINITY)
  const parts = flatten([...WORKSPACE, ...written], WORKSPACE.length - 1)
  if (rootOf(view, parts) === undefined) throw denied(TRAVERSAL)
  return parts
}

const rootList = (view: View): string => view.roots.map((root) => virtualPath(root.parts)).join(', ')

/** Where a virtual path leads. By names alone: what links do to it is for those who open it. */
export const locate = (view: View, raw: unknown): Place | Signpost => {
  const text = pathText(raw)
  const parts = partsOf(view, text)
  const path = virtualPath(parts)
  const root = rootOf(view, parts)
  if (root !== undefined) return { path, root, below: parts.slice(root.parts.length) }
  const names = namesTowardsRoots(view, parts)
  if (parts.length === 0 || names.size === 0) throw denied(`Only paths under ${rootList(view)} are allowed`)
  return { path, root: null, names }
}
