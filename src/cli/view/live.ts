import type { RunEvent } from '../../contract/events.ts'
import { drawBlock } from './block.ts'
import { fold } from './fold.ts'
import { plainLines } from './plain.ts'
import type { Progress } from './progress.ts'
import { openScreen, type TerminalStream } from './screen.ts'
import type { Style } from './style.ts'
import { onSuspend } from './suspend.ts'
import { advance, EMPTY_VIEW } from './view.ts'

/** Shortest time between two pictures, and the pace of the spinner. */
const FRAME_MS = 80

const STAYING: ReadonlySet<RunEvent['type']> = new Set(['warning', 'permission_requested', 'gap'])

/** All else that an event says is in the block, a retry too: it is over in a moment. */
const stays = (event: RunEvent): boolean =>
  STAYING.has(event.type) && !(event.type === 'warning' && event.code === 'retry')

/** A block that is drawn again as the run goes on: one line for the lead, one for each subagent. */
export const liveProgress = (stream: TerminalStream, style: Style, now: () => number = Date.now): Progress => {
  let view = EMPTY_VIEW
  let changed = false
  let painted = now()
  let open = true
  const started = painted
  const screen = openScreen(stream, () => paint())
  const paint = (bounded = true) => {
    changed = false
    painted = now()
    // Before the run has started there is nothing to show, and no time to count from.
    if (view.startedAt === 0) return
    const { width, height } = screen.size()
    const spinner = style.frames[Math.floor((painted - started) / FRAME_MS) % style.frames.length] ?? ''
    screen.paint(drawBlock(view, { width, height: bounded ? height : 0, now: painted, spinner, style }))
  }
  const folded = (lines: readonly string[]) => lines.flatMap((line) => fold(line, screen.size().width))
  // Half the pace when nothing but the spinner moves.
  const timer = setInterval(() => {
    if (changed || now() - painted >= 2 * FRAME_MS) paint()
  }, FRAME_MS)
  timer.unref()
  const suspendOff = onSuspend(screen.leave, paint)
  return {
    event: (event) => {
      view = advance(view, event)
      changed = true
      if (stays(event)) screen.print(folded(plainLines(event, view)).map((line) => style.paint('yellow', line)))
    },
    note: (line) => {
      if (open) screen.print(folded([line]))
      else stream.write(`${folded([line]).join('\n')}\n`)
    },
    cancelling: () => {
      view = { ...view, cancelling: true }
      paint()
    },
    end: () => {
      if (!open) return
      open = false
      clearInterval(timer)
      suspendOff()
      // The last picture stays, so it may be higher than the terminal.
      paint(false)
      screen.close()
    },
  }
}
