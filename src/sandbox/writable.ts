import { join } from 'node:path'
import { locate, type Place } from './locate.ts'
import { denied, refusal } from './refusal.ts'
import { type View, virtualPath } from './view.ts'

/** Paths that are never written, whatever is mounted there. */
const KEPT = [
  { start: '/mnt/skills', reason: 'Write access to skills path is not allowed' },
  { start: '/mnt/acp-workspace', reason: 'Write access to ACP workspace is not allowed' },
]

const assertNotKept = (path: string): void => {
  const kept = KEPT.find(({ start }) => path === start || path.startsWith(`${start}/`))
  if (kept !== undefined) throw denied(`${kept.reason}: ${path}`)
}

/** Where a path may be written. By names alone, as `locate`. */
export const writablePlace = (view: View, raw: unknown): Place => {
  if (typeof raw === 'string') assertNotKept(raw)
  const place = locate(view, raw)
  assertNotKept(place.path)
  if (place.root === null || place.below.length === 0) throw refusal('EISDIR', 'a folder')
  if (!place.root.writable)
    throw denied(
      `Write access to read-only mount is not allowed: ${virtualPath(place.root.parts)}. Write under /mnt/user-data; ` +
        'only writable: true in sandbox.mounts opens a mount',
    )
  // The same answer whether it is there or not.
  if (place.root.hides(place.below)) throw denied('This name is reserved')
  return place
}

/** Where a place lies on the machine, its links not followed. */
export const hostPath = ({ root, below }: Place): string => join(root.host, ...below)
