import type { Run } from '../contract/api.ts'
import { EXIT } from './exit.ts'
import { onInterrupt } from './interrupt.ts'
import type { Progress } from './view/progress.ts'
import type { World } from './world.ts'

/** How long the process outlives the first Ctrl-C at most: the default grace time of a tool. */
const GRACE_MS = 2000

export interface Stopping {
  /** From now on the first Ctrl-C cancels this run; before, it leaves at once. */
  begins(run: Run): void
  off(): void
}

/** Ctrl-C once cancels, twice leaves at once; SIGTERM and a closed terminal count as Ctrl-C. */
export const stopOnInterrupt = (world: World, progress: Progress): Stopping => {
  let run: Run | undefined
  let last: NodeJS.Timeout | undefined
  // The runtime kills its processes when this one exits, so leaving is all there is to do.
  const quit = () => {
    progress.end()
    world.exit(EXIT.cancelled)
  }
  const cancel = () => {
    if (!run) return quit()
    run.cancel('Cancelled by user')
    progress.cancelling()
    last = setTimeout(quit, GRACE_MS)
    last.unref()
  }
  const off = onInterrupt(world.signals, cancel, quit)
  return {
    begins: (begun) => {
      run = begun
    },
    off: () => {
      clearTimeout(last)
      off()
    },
  }
}
