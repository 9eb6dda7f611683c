import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './text.ts'

/** The part of a terminal's write stream that is used. */
export interface TerminalStream {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** A block of lines at the bottom of a terminal that is drawn over again and again. */
export interface Screen {
  size(): { readonly width: number; readonly height: number }
  /** Replaces the block. */
  paint(lines: readonly string[]): void
  /** Writes lines that stay, above the block. */
  print(lines: readonly string[]): void
  /** Forgets the block, which stays where it is, and gives the cursor back until the next paint. */
  leave(): void
  /** The same for good. May be called again. */
  close(): void
}

const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
// With wrapping off, a line whose width was misjudged is cut by the terminal and cannot push the block down.
const WRAP_OFF = '\u001b[?7l'
const WRAP_ON = '\u001b[?7h'
const ERASE_LINE_END = '\u001b[K'
const ERASE_BELOW = '\u001b[J'

export const openScreen = (stream: TerminalStream, onResize: () => void = () => {}): Screen => {
  let drawn: readonly string[] = []
  let open = true
  const columns = () => Math.max(1, stream.columns || 80)

  // A terminal made narrower folds the lines that stand on it, so each may now take several rows.
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns()))
  const home = () => {
    const up = drawn.reduce((sum, line) => sum + rowsOf(line), 0)
    return up > 0 ? `\r\u001b[${up}A` : '\r'
  }
  const text = (lines: readonly string[]) => lines.map((line) => `${line}${ERASE_LINE_END}\n`).join('')
  // One write a frame, each line written over the old one: nothing to see flicker.
  const draw = (above: readonly string[], lines: readonly string[]) => {
    stream.write(
      HIDE_CURSOR + WRAP_OFF + home() + WRAP_ON + text(above) + WRAP_OFF + text(lines) + ERASE_BELOW + WRAP_ON,
    )
    drawn = lines
  }
  const leave = () => {
    drawn = []
    stream.write(WRAP_ON + SHOW_CURSOR)
  }
  const restore = () => {
    if (!open) return
    open = false
    stream.off('resize', onResize)
    process.off('exit', restore)
    leave()
  }
  stream.on('resize', onResize)
  process.on('exit', restore)
  return {
    // One row and one column stay free: writing into the last of either scrolls or wraps on some terminals.
    size: () => ({ width: Math.max(1, columns() - 1), height: Math.max(1, (stream.rows || 24) - 1) }),
    paint: (lines) => {
      if (open) draw([], lines)
    },
    print: (lines) => {
      if (open) draw(lines, drawn)
    },
    leave,
    close: restore,
  }
}
