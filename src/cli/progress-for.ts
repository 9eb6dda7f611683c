import { liveProgress } from './view/live.ts'
import { plainProgress } from './view/plain.ts'
import { type Progress, quietProgress } from './view/progress.ts'
import { styleFor } from './view/style.ts'
import type { World } from './world.ts'

/** Live on a terminal that can move its cursor, plain lines elsewhere, notes only beside `--json`. */
export const progressFor = ({ stderr, env }: World, json: boolean): Progress => {
  const write = (text: string) => {
    if (!stderr.destroyed) stderr.write(text)
  }
  if (json) return quietProgress(write)
  return stderr.isTTY && env['TERM'] !== 'dumb' ? liveProgress(stderr, styleFor(env)) : plainProgress(write)
}
