import { showControls } from '../../tools/text.ts'

const ESC = '\\u001b'
/** What steers a terminal: CSI; OSC, APC, PM and SOS up to their end, on one line; DCS up to its end; the short ones. */
const SEQUENCES = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}[\\]_^X][^\\u0007${ESC}\\n]*(?:\\u0007|${ESC}\\\\)|${ESC}P[^${ESC}]*${ESC}\\\\|${ESC}[ -/]+[0-~]|${ESC}[0-OQ-WYZ\\\\\`-~]`,
  'g',
)
/** A sequence of which the rest may be in the next piece. */
const UNFINISHED = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*|[\\]_^X][^\\u0007${ESC}\\n]*${ESC}?|P[^${ESC}]*${ESC}?|[ -/]*)$`,
)
/** What goes on for longer is no sequence, and no line that anything is written over. In characters. */
const HELD_MAX = 65_536

/** A backspace takes back the character before it. */
const takeBack = (line: string): string => {
  const chars: string[] = []
  for (const char of line) {
    if (char === '\b') chars.pop()
    else chars.push(char)
  }
  return chars.join('')
}

/** A carriage return starts the line again: the last that was written on it stands. */
const lastWritten = (line: string): string => {
  if (!line.includes('\r')) return line
  return line.split('\r').findLast((text) => text !== '') ?? ''
}

const show = (written: string): string => {
  const text = written.replace(/\r+\n/g, '\n')
  if (!text.includes('\r') && !text.includes('\b')) return showControls(text)
  const lines = text.split('\n').map((line) => takeBack(lastWritten(line)))
  return showControls(lines.join('\n'))
}

/** Takes what was written for a terminal, in pieces, and tells what a person would have read there in the end. */
export interface TerminalText {
  feed(piece: string): void
  end(): void
}

export const createTerminalText = (tell: (text: string) => void): TerminalText => {
  let held = ''
  let line = ''

  /** A line that never ends is told in parts; a carriage return at its end may belong to the line feed that follows. */
  const shorten = (): void => {
    if (line.length <= HELD_MAX) return
    const rest = line.endsWith('\r') ? '\r' : ''
    line = lastWritten(line)
    if (line.length > HELD_MAX) {
      tell(show(line))
      line = ''
    }
    line += rest
  }

  const take = (text: string): void => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) tell(show(line + text.slice(0, end)))
    line = end > 0 ? text.slice(end) : line + text
    shorten()
  }

  return {
    feed(piece) {
      const text = (held + piece).replace(SEQUENCES, '')
      const at = text.search(UNFINISHED)
      held = at >= 0 && text.length - at <= HELD_MAX ? text.slice(at) : ''
      take(text.slice(0, text.length - held.length))
    },
    end() {
      take(held.slice(1))
      if (line !== '') tell(show(line))
      held = ''
      line = ''
    },
  }
}
