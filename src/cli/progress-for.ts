import { liveProgress } from './view/live.ts'
import { plainProgress } from './view/plain.ts'
import { type Progress, quietProgress } from './view/progress.ts'
import { styleFor } from './view/style.ts'
import type { World } from './world.ts'

// Some CI services lend a terminal, and keep all that was ever drawn on it.
const canRedraw = ({ stderr, env }: World): boolean =>
  Boolean(stderr.isTTY) && env['TERM'] !== 'dumb' && /^(|0|false)$/i.test(env['CI'] ?? '')

/** Live on a terminal that can move its cursor, plain lines elsewhere, notes only beside `--json`. */
export const progressFor = (world: World, json: boolean): Progress => {
  const { stderr, env } = world
  const write = (text: string) => {
    if (!stderr.destroyed) stderr.write(text)
  }
  if (json) return quietProgress(write)
  return canRedraw(world) ? liveProgress(stderr, styleFor(env)) : plainProgress(write)
}
